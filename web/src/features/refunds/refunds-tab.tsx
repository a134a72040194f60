import { type AdminRefund, processingTypeLabels, refundCalls } from '#domain/contracts/refunds.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { Box } from '#web/ui/box.tsx';
import { Figures } from '#web/ui/figure.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { type Column, email, instant, money, states } from '#web/ui/list/columns.tsx';
import { byStatus, List, type RowAction } from '#web/ui/list/list.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { DecideRefund } from './decide-refund.tsx';
import { DisputesPanel, disputeStates } from './disputes-panel.tsx';

const statuses = { processing: 'Processing', completed: 'Completed', denied: 'Denied' };
const tones = { processing: 'warn', completed: 'good', denied: 'bad' } as const;
const decisions = [
  { decision: 'approve', words: 'Approve' },
  { decision: 'deny', words: 'Deny' },
  { decision: 'reset', words: 'Reset' },
] as const;

const columns: readonly Column<AdminRefund>[] = [
  { header: 'ID', sort: 'id', cell: ({ id }) => id },
  email('User', ({ userEmail, userId }) => userEmail ?? userId, { card: 'head', sort: 'user' }),
  {
    header: 'Event',
    sort: 'event',
    cell: ({ eventTitle, eventId, bookingReference: reference }) => (
      <Box>
        <span>{eventTitle ?? `Event #${eventId}`}</span>
        <TextLink to={`/admin?tab=bookings&search=${reference}`}>
          <span className="one-line">{`Booking ${reference}`}</span>
        </TextLink>
      </Box>
    ),
  },
  money('Amount', ({ refundAmount }) => refundAmount, { sort: 'amount' }),
  { header: 'Reason', cell: ({ refundReason }) => refundReason ?? '-' },
  states(
    'Status',
    ({ status, note, dispute }) => [
      {
        tone: tones[status],
        words: statuses[status],
        note: note ?? (status === 'completed' ? 'Paid back; final' : null),
      },
      ...(dispute ? [disputeStates[dispute]] : []),
    ],
    { card: 'corner' },
  ),
  {
    header: 'Processing',
    cell: ({ processingType: type }) => processingTypeLabels[type] ?? 'Pending Review',
  },
  instant('Requested', ({ createdAt }) => createdAt, { sort: 'requested' }),
];

export const Tab = () => {
  const { data: stats, error, refetch } = useAnswer(refundCalls.stats);
  return (
    <Box gap="$16">
      {error && !stats ? (
        <NotLoaded what="The figures" {...{ error, refetch }} />
      ) : (
        <Figures
          of={{
            'Total Refunds': stats?.total,
            Pending: stats?.pending,
            Completed: stats?.completed,
            'Total Amount': stats && pounds(stats.totalAmount),
          }}
        />
      )}
      <DisputesPanel />
      <List
        call={refundCalls.list}
        exportCall={refundCalls.exportCsv}
        title="Refund requests"
        noun="refunds"
        empty={{ title: 'No refund requests found', text: 'What cancellations pay back comes here.' }}
        columns={columns}
        perPage={10}
        search="Search by reference, customer or event"
        filters={[
          byStatus(statuses),
          { name: 'processing', label: 'Processing', all: 'All kinds', options: processingTypeLabels },
        ]}
        actions={(refund) =>
          decisions
            .filter(({ decision }) => decision !== 'reset' || refund.status !== 'processing')
            .map(
              ({ decision, words }): RowAction => ({
                words,
                label: `${words} refund ${refund.id}`,
                disabled: refund.status === 'completed' || refund.withdrawn,
                open: (onClose) => <DecideRefund {...{ refund, decision, onClose }} />,
              }),
            )
        }
      />
    </Box>
  );
};
