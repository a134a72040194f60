import { Badge, type Tone } from '../ui/badge.tsx';
import type { Column } from '../ui/data-table.tsx';
import { AtCommas, Email } from '../ui/line-breaks.tsx';
import { Text } from '../ui/text.tsx';
import { pounds } from '../words/money.ts';
import { moment } from '../words/when.ts';

/** Columns of the kinds that many tables have. */

type More<Row> = Partial<Column<Row>>;

/** An amount of money, such as `"12.50"`. */
export const money = <Row,>(header: string, of: (row: Row) => string, more?: More<Row>): Column<Row> => ({
  header,
  align: 'end',
  cell: (row) => pounds(of(row)),
  ...more,
});

/** An instant, on the clock at home. */
export const instant = <Row,>(header: string, of: (row: Row) => string, more?: More<Row>): Column<Row> => ({
  header,
  cell: (row) => <AtCommas>{moment(of(row))}</AtCommas>,
  ...more,
});

/** Somebody's address. */
export const email = <Row,>(header: string, of: (row: Row) => string, more?: More<Row>): Column<Row> => ({
  header,
  cell: (row) => <Email address={of(row)} />,
  ...more,
});

/** A state in a word, and what there is to say of it. */
export const state = <Row,>(
  header: string,
  of: (row: Row) => { readonly tone: Tone; readonly words: string; readonly note?: string | null },
  more?: More<Row>,
): Column<Row> => ({
  header,
  cell: (row) => {
    const { tone, words, note } = of(row);
    return (
      <>
        <Badge tone={tone}>{words}</Badge>
        {note ? (
          <Text size="small" tone="dim">
            {note}
          </Text>
        ) : null}
      </>
    );
  },
  ...more,
});
