import { may } from '#domain/contracts/capabilities.ts';
import {
  type DoorConflict,
  type RecentScan,
  type RefusedScan,
  ticketCalls,
  undoRequest,
} from '#domain/contracts/tickets.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { useTab } from '#web/lib/use-tab.ts';
import { TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { type Column, email, instant, states } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const all = { noun: 'scans', perPage: 10, search: 'Search by customer or event', every: 30_000 } as const;

const ticket: readonly Column<RecentScan | RefusedScan | DoorConflict>[] = [
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

const scanOf = (scan: DoorConflict['first']): string =>
  scan ? [moment(scan.at), scan.scannedBy, scan.gate].filter(Boolean).join(', ') : 'None';
const twice: readonly Column<DoorConflict>[] = [
  ...ticket,
  { header: 'Too many', align: 'end', cell: ({ quantity }) => quantity },
  { header: 'Why', cell: ({ error }) => error },
  { header: 'First let in', cell: ({ first }) => scanOf(first) },
  { header: 'Let in again', cell: ({ copy }) => scanOf(copy) },
];

const tabs = [
  { name: 'admitted', label: 'Let in' },
  { name: 'refused', label: 'Turned away' },
  { name: 'conflicts', label: 'Conflicts' },
] as const;

const stale = [ticketCalls.recentScans, ticketCalls.counts, ticketCalls.guests];

const Undo = ({ scan, onClose }: { scan: RecentScan; onClose: () => void }) => {
  const { booking, page, scannedAt } = scan;
  const change = useChange(ticketCalls.undoScan, {
    draft: `undo ${booking.reference}`,
    stale,
    done: ({ message }) => ({ title: 'Scan undone', description: message }),
    failed: 'Failed to undo the scan',
  });
  return (
    <FormDialog
      title={`Undo the scan of ${booking.reference}?`}
      blank={{ reason: '' }}
      check={({ reason }) => check(undoRequest, { bookingId: booking.id, page, scannedAt, reason })}
      submit="Undo the scan"
      busyText="Undoing..."
      {...{ change, onClose }}
    >
      {({ field }) => (
        <TextArea
          label="Why"
          maxLength={1000}
          hint="The ticket then admits again. The customer can read this in the booking’s history."
          {...field('reason')}
        />
      )}
    </FormDialog>
  );
};

export const Scans = () => {
  const [tab, open] = useTab(tabs, 'list');
  const { user } = useSession();
  const mayUndo = ({ scannedById }: RecentScan) =>
    !!user && (scannedById === user.id || may(user.role, 'undo-any-scan'));
  return (
    <Tabs label="Scans" tabs={tabs} active={tab} onChange={open}>
      {/* The keys keep the lists apart: one that took over from another would show the other's rows until its own came. */}
      {tab === 'admitted' ? (
        <List
          key={tab}
          call={ticketCalls.recentScans}
          title="Recent Scans"
          columns={admitted}
          actions={(scan) =>
            mayUndo(scan)
              ? [
                  {
                    words: 'Undo',
                    label: `Undo the scan of ${scan.booking.reference}`,
                    open: (onClose) => <Undo {...{ scan, onClose }} />,
                  },
                ]
              : []
          }
          empty={{ title: 'No Recent Scans', text: 'Tickets that were let in show here.' }}
          {...all}
        />
      ) : tab === 'conflicts' ? (
        <List
          key={tab}
          call={ticketCalls.conflicts}
          title="Conflicts"
          columns={twice}
          empty={{
            title: 'No conflicts',
            text: 'Tickets that a gate without a network let in although it should not have show here.',
          }}
          {...all}
        />
      ) : (
        <List
          key={tab}
          call={ticketCalls.refusedScans}
          title="Turned Away"
          columns={refused}
          empty={{
            title: 'Nobody turned away',
            text: 'Tickets that were refused show here, with the reason.',
          }}
          {...all}
        />
      )}
    </Tabs>
  );
};
