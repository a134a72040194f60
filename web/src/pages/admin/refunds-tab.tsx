import { useState } from 'react';
import { type AdminRefund, processingTypeLabels, refundCalls } from '#domain/contracts/refunds.ts';
import { useAnswer } from '../../api/answers.ts';
import { email, instant, money, state } from '../../kit/columns.tsx';
import { type Filter, List } from '../../kit/list.tsx';
import { Box } from '../../ui/box.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Figures } from '../../ui/figure.tsx';
import { pounds } from '../../words/money.ts';
import { DecideRefund, type Decision } from './decide-refund.tsx';

const states = {
  processing: { tone: 'warn', words: 'Processing' },
  completed: { tone: 'good', words: 'Completed' },
  denied: { tone: 'bad', words: 'Denied' },
} as const;
const decisions = { approve: 'Approve', deny: 'Deny', reset: 'Reset' } as const;

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    all: 'All statuses',
    options: { processing: 'Processing', completed: 'Completed', denied: 'Denied' },
  },
  {
    name: 'processing',
    label: 'Processing',
    all: 'All kinds of processing',
    options: processingTypeLabels,
  },
];

const columns: readonly Column<AdminRefund>[] = [
  { header: 'ID', sort: 'id', cell: ({ id }) => id },
  email('User', ({ userEmail, userId }) => userEmail ?? userId, { card: 'head', sort: 'user' }),
  { header: 'Event', sort: 'event', cell: ({ eventTitle, eventId }) => eventTitle ?? `Event #${eventId}` },
  money('Amount', ({ refundAmount }) => refundAmount, { sort: 'amount' }),
  { header: 'Reason', cell: ({ refundReason }) => refundReason ?? '-' },
  state('Status', ({ status, note }) => ({ ...states[status], note }), { card: 'corner' }),
  {
    header: 'Processing',
    cell: ({ processingType }) => processingTypeLabels[processingType] ?? 'Pending Review',
  },
  instant('Requested', ({ createdAt }) => createdAt, { sort: 'requested' }),
];

/** Refunds, the newest first: what is owed, and the say over it. */
export const Tab = () => {
  const { data: stats } = useAnswer(refundCalls.stats);
  const [deciding, setDeciding] = useState<{ refund: AdminRefund; decision: Decision }>();
  const decisionsOn = ({ status }: AdminRefund): readonly Decision[] =>
    status === 'processing' ? ['approve', 'deny'] : ['approve', 'deny', 'reset'];
  return (
    <Box gap="$16">
      <Figures
        of={{
          'Total Refunds': stats?.total,
          Pending: stats?.pending,
          Completed: stats?.completed,
          'Total Amount': stats && pounds(stats.totalAmount),
        }}
      />
      <List
        call={refundCalls.list}
        title="Refund requests"
        noun="refunds"
        columns={columns}
        perPage={10}
        search="Search by reference, customer or event"
        filters={filters}
        exportCall={refundCalls.exportCsv}
        empty={{ title: 'No refund requests found' }}
        actions={(refund) =>
          decisionsOn(refund).map((decision) => ({
            words: decisions[decision],
            label: `${decisions[decision]} refund ${refund.id}`,
            run: () => setDeciding({ refund, decision }),
          }))
        }
      />
      {deciding ? <DecideRefund {...deciding} onClose={() => setDeciding(undefined)} /> : null}
    </Box>
  );
};
