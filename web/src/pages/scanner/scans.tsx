import { type RecentScan, type RefusedScan, ticketCalls } from '#domain/contracts/tickets.ts';
import { type Column, email, instant, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { useTab } from '../../kit/use-tab.ts';
import { Tabs } from '../../ui/tabs.tsx';

/** The settings of both lists. */
const both = { noun: 'scans', perPage: 10, search: 'Search by customer or event', every: 30_000 } as const;

/** The columns of both lists. */
const ticket: readonly Column<RecentScan | RefusedScan>[] = [
  instant('Time', ({ scannedAt }) => scannedAt, { card: 'head' }),
  { header: 'Event', cell: ({ event }) => event.title },
  email('Customer', ({ user }) => user.email),
];
const admitted: readonly Column<RecentScan>[] = [
  ...ticket,
  { header: 'Tickets', align: 'end', cell: ({ quantity }) => quantity },
  states('Status', () => [{ tone: 'good', words: 'Verified' }]),
];
const refused: readonly Column<RefusedScan>[] = [
  ...ticket,
  { header: 'Why', cell: ({ error }) => error },
  { header: 'Scanned by', cell: ({ scannedBy, gate }) => (gate ? `${scannedBy}, ${gate}` : scannedBy) },
];

const tabs = [
  { name: 'admitted', label: 'Let in' },
  { name: 'refused', label: 'Turned away' },
] as const;

/** The lists of accepted and refused scans. */
export const Scans = () => {
  const [tab, open] = useTab(tabs);
  return (
    <Tabs label="Scans" tabs={tabs} active={tab} onChange={open}>
      {tab === 'admitted' ? (
        <List
          call={ticketCalls.recentScans}
          title="Recent Scans"
          columns={admitted}
          empty={{ title: 'No Recent Scans', text: 'Tickets that were let in show here.' }}
          {...both}
        />
      ) : (
        <List
          call={ticketCalls.refusedScans}
          title="Turned Away"
          columns={refused}
          empty={{
            title: 'Nobody turned away',
            text: 'Tickets that were refused show here, with the reason.',
          }}
          {...both}
        />
      )}
    </Tabs>
  );
};
