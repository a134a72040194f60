import type { DoorNews, DoorOutcome, SaleNews, SaleOutcome } from '#domain/contracts/rehearsal.ts';
import { Box } from '../../ui/box.tsx';
import { Columns } from '../../ui/chart.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figures } from '../../ui/figure.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { count } from '../../words/count.ts';
import { pounds } from '../../words/money.ts';
import { moment } from '../../words/when.ts';

/** A figure as it was, and as it would have been. */
interface Line {
  readonly id: string;
  readonly was: string;
  readonly would: string;
}

const columns: readonly Column<Line>[] = [
  { header: 'Figure', card: 'head', cell: ({ id }) => id },
  { header: 'As it was', align: 'end', cell: ({ was }) => was },
  {
    header: 'Would have been',
    align: 'end',
    cell: ({ was, would }) => (was === would ? would : <strong>{would}</strong>),
  },
];

const busiest = (minute: SaleOutcome['busiest']): string =>
  minute ? `${count(minute.count)} at ${moment(minute.at)}` : '-';

const saleLines = (of: SaleOutcome): Readonly<Record<string, string>> => ({
  Capacity: count(of.capacity),
  'Tickets sold': count(of.sold),
  'Bookings made': count(of.bookings),
  Takings: pounds(of.takings),
  'Paid back': pounds(of.paidBack),
  'Refused: too few tickets': count(of.soldOut),
  'Refused otherwise': count(of.otherwise),
  'Holds that lapsed': count(of.lapsed),
  'Most held at once': count(of.mostHeld),
  'Sold out': of.soldOutAt ? moment(of.soldOutAt) : 'Never',
  'Busiest minute': busiest(of.busiest),
});

const WORDS: Readonly<Record<string, string>> = {
  TICKET_USED: 'used already',
  TICKET_WRONG_EVENT: 'for another event',
  TICKET_CANCELLED: 'cancelled',
  TICKET_REFUNDED: 'paid back',
  TICKET_DISPUTED: 'disputed',
  TICKET_REISSUED: 'reissued',
  TICKET_EXPIRED: 'expired',
};

const doorLines = (of: DoorOutcome, codes: readonly string[]): Readonly<Record<string, string>> => ({
  'Codes read': count(of.scans),
  'People admitted': count(of.admitted),
  'Let in against the rules': count(of.conflicts),
  ...Object.fromEntries(
    codes.map((code) => [`Refused: ${WORDS[code] ?? code}`, count(of.refused[code] ?? 0)]),
  ),
  'Busiest minute': busiest(of.busiest),
});

/** The same figures of both, beside each other. */
const pairs = (was: Readonly<Record<string, string>>, would: Readonly<Record<string, string>>): Line[] =>
  Object.entries(was).map(([id, value]) => ({ id, was: value, would: would[id] ?? '-' }));

/** Shorter ones have nothing to draw. */
const SHORTEST_CURVE = 60_000;

/** A number over the time of a rehearsal, above the same in fact, both to one scale. */
const Curves = ({
  span,
  was,
  would,
  what,
}: {
  span: SaleNews['span'];
  was: readonly number[];
  would: readonly number[];
  what: string;
}) => {
  const from = Date.parse(span?.from ?? '');
  const lasts = Date.parse(span?.to ?? '') - from;
  if (!(lasts >= SHORTEST_CURVE)) return null;
  const most = Math.max(...was, ...would);
  const bars = (points: readonly number[]) =>
    points.map((value, index) => ({
      name: moment(new Date(from + (lasts * (index + 1)) / points.length).toISOString()),
      value,
      words: `${count(value)} ${what}`,
    }));
  return (
    <Box gap="$20">
      {(
        [
          ['As it would have been', would],
          ['As it was', was],
        ] as const
      ).map(([title, points]) => (
        <Box key={title} gap="$8">
          <Text size="small" tone="dim">
            {title}
          </Text>
          <Columns label={`${title}: ${what}`} bars={bars(points)} most={most} />
        </Box>
      ))}
    </Box>
  );
};

const Outcome = ({ lines, label }: { lines: readonly Line[]; label: string }) => (
  <DataTable label={label} columns={columns} rows={lines} />
);

/** What became of a rehearsed sale. */
export const SaleOutcomes = ({ was, would, span }: SaleNews) => (
  <Box gap="$24">
    <Figures
      of={{
        'Tickets sold': count(would.sold),
        Takings: pounds(would.takings),
        'Refused: too few tickets': count(would.soldOut),
        'Holds that lapsed': count(would.lapsed),
      }}
      notes={{
        'Tickets sold': `${count(was.sold)} in fact`,
        Takings: `${pounds(was.takings)} in fact`,
        'Refused: too few tickets': `${count(was.soldOut)} in fact`,
        'Holds that lapsed': `${count(was.lapsed)} in fact`,
      }}
    />
    <Curves span={span} was={was.curve} would={would.curve} what="tickets sold" />
    <Outcome label="The sale" lines={pairs(saleLines(was), saleLines(would))} />
  </Box>
);

const gateName = (gate: string | null): string => gate ?? 'No gate named';

/** What became of a rehearsed evening at the door. */
export const DoorOutcomes = ({ was, would, span }: DoorNews) => {
  const codes = [...new Set([...Object.keys(was.refused), ...Object.keys(would.refused)])].sort();
  const queued = would.gates.some(({ queue }) => queue);
  return (
    <Box gap="$24">
      <Figures
        of={{
          'People admitted': count(would.admitted),
          'Codes read': count(would.scans),
          'Let in against the rules': count(would.conflicts),
        }}
        notes={{
          'People admitted': `${count(was.admitted)} in fact`,
          'Codes read': `${count(was.scans)} in fact`,
          'Let in against the rules': `${count(was.conflicts)} in fact`,
        }}
      />
      <Curves span={span} was={was.curve} would={would.curve} what="people in" />
      <Outcome label="The door" lines={pairs(doorLines(was, codes), doorLines(would, codes))} />
      {would.gates.length > 0 ? (
        <Box gap="$12">
          <Heading render="h3" size="lead">
            Gates
          </Heading>
          <DataTable
            label="Gates"
            columns={[
              { header: 'Gate', card: 'head', cell: ({ gate }) => gateName(gate) },
              { header: 'Codes read', align: 'end', cell: ({ scans }) => count(scans) },
              { header: 'Busiest minute', align: 'end', cell: (gate) => busiest(gate.busiest) },
              ...(queued
                ? ([
                    {
                      header: 'Longest queue',
                      align: 'end',
                      cell: ({ queue }) => (queue ? `${count(queue.longest)} waiting` : '-'),
                    },
                    {
                      header: 'Longest wait',
                      align: 'end',
                      cell: ({ queue }) => (queue ? `${count(queue.seconds)} s` : '-'),
                    },
                  ] as const satisfies readonly Column<DoorOutcome['gates'][number] & { id: string }>[])
                : []),
            ]}
            rows={would.gates.map((gate) => ({ ...gate, id: gateName(gate.gate) }))}
          />
        </Box>
      ) : null}
    </Box>
  );
};
