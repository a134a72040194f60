import { count } from '#web/lib/formatters/count.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Box } from '#web/ui/box.tsx';
import type { Column } from '#web/ui/data-table.tsx';
import { AtCommas, Email } from '#web/ui/line-breaks.tsx';
import { ShareBar } from '#web/ui/share-bar.tsx';
import { Text } from '#web/ui/text.tsx';

export type { Column };

type More<Row> = Partial<Column<Row>>;
type Kind<Value> = <Row>(header: string, of: (row: Row) => Value, more?: More<Row>) => Column<Row>;

export const money: Kind<string> = (header, of, more) => ({
  header,
  align: 'end',
  cell: (row) => pounds(of(row)),
  ...more,
});

export const dated: Kind<string> = (header, of, more) => ({
  header,
  cell: (row) => <AtCommas>{of(row)}</AtCommas>,
  ...more,
});

export const instant: Kind<string> = (header, of, more) => dated(header, (row) => moment(of(row)), more);

export const ANYWHERE = { overflowWrap: 'anywhere' } as const;

export const email: Kind<string> = (header, of, more) => ({
  header,
  cell: (row) => <Email address={of(row)} />,
  ...more,
});

interface State {
  readonly tone?: Tone;
  readonly words: string;
  readonly note?: string | null;
}

export const activity = (isActive: boolean): State =>
  isActive ? { tone: 'good', words: 'Active' } : { tone: 'bad', words: 'Inactive' };

export const states: Kind<readonly State[]> = (header, of, more) => ({
  header,
  cell: (row) => (
    <Box gap="$4">
      {of(row).map(({ tone, words, note }) => (
        <Box key={words}>
          <Badge tone={tone}>
            <span className="one-line">{words}</span>
          </Badge>
          {note ? (
            <Text size="small" tone="dim">
              {note}
            </Text>
          ) : null}
        </Box>
      ))}
    </Box>
  ),
  ...more,
});

export const stock: Kind<{ left: number; of: number; held: number }> = (header, of, more) => ({
  header,
  align: 'end',
  cell: (row) => {
    const { left, of: all, held } = of(row);
    return (
      <>
        <span>{`${count(left)} / ${count(all)}`}</span>
        {held > 0 ? (
          <Text size="small" tone="dim">
            {` (${count(held)} held)`}
          </Text>
        ) : null}
        <ShareBar share={all > 0 ? 1 - left / all : 0} />
      </>
    );
  },
  ...more,
});
