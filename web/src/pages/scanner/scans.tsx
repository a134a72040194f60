import type { RecentScan, RefusedScan } from '#domain/contracts/tickets.ts';
import { useRecentScans, useRefusedScans } from '../../api/tickets.ts';
import { List, type ListQuery } from '../../kit/list.tsx';
import { useListState } from '../../kit/list-state.ts';
import { useTab } from '../../kit/use-tab.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { AtCommas, Email } from '../../ui/line-breaks.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { moment } from '../../words/when.ts';

/** As many as are looked at between two scans. */
const A_PAGE = 10;

/** What the two lists have in common: when, of what, and whose. */
const ticket: readonly Column<RecentScan | RefusedScan>[] = [
  { header: 'Time', card: 'head', cell: ({ scannedAt }) => <AtCommas>{moment(scannedAt)}</AtCommas> },
  { header: 'Event', cell: ({ event }) => event.title },
  { header: 'Customer', cell: ({ user }) => <Email address={user.email} /> },
];
const admitted: readonly Column<RecentScan>[] = [
  ...ticket,
  { header: 'Tickets', align: 'end', cell: ({ quantity }) => quantity },
  { header: 'Status', cell: () => <Badge tone="good">Verified</Badge> },
];
const refused: readonly Column<RefusedScan>[] = [
  ...ticket,
  { header: 'Why', cell: ({ error }) => error },
  {
    header: 'Scanned by',
    cell: ({ scannedBy, gate }) => (gate ? `${scannedBy}, ${gate}` : scannedBy),
  },
];

/** The page of a list that came whole. */
const pageOf = <Row,>({ data, ...query }: ListQuery<Row>, page: number): ListQuery<Row> => ({
  ...query,
  data: data && { ...data, items: data.items.slice((page - 1) * A_PAGE, page * A_PAGE) },
});

const Recent = () => {
  const list = useListState(A_PAGE);
  return (
    <List
      title="Recent Scans"
      noun="scans"
      query={pageOf(useRecentScans(), list.page)}
      columns={admitted}
      empty={{ title: 'No Recent Scans', text: 'Tickets that were let in show here.' }}
      list={list}
    />
  );
};

const Refused = () => {
  const list = useListState(A_PAGE);
  return (
    <List
      title="Turned Away"
      noun="scans"
      query={pageOf(useRefusedScans(), list.page)}
      columns={refused}
      empty={{
        title: 'Nobody turned away',
        text: 'Tickets that were refused show here, with the reason.',
      }}
      list={list}
    />
  );
};

const tabs = [
  { name: 'admitted', label: 'Let in' },
  { name: 'refused', label: 'Turned away' },
] as const;

/** Who has been let in lately, and who has not. */
export const Scans = () => {
  const [tab, open] = useTab(tabs);
  return (
    <Tabs label="Scans" tabs={tabs} active={tab} onChange={open}>
      {tab === 'admitted' ? <Recent /> : <Refused />}
    </Tabs>
  );
};
