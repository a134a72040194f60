import { useState } from 'react';
import { type AdminRefund, processingTypeLabels } from '#domain/contracts/refunds.ts';
import { useRefundStats, useRefunds } from '../../api/admin.ts';
import { queryClient } from '../../api/queries.ts';
import { List } from '../../kit/list.tsx';
import { useListState } from '../../kit/list-state.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Box } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import { AtCommas, Email } from '../../ui/line-breaks.tsx';
import { Text } from '../../ui/text.tsx';
import { pounds } from '../../words/money.ts';
import { moment } from '../../words/when.ts';
import { DecideRefund, type Decision } from './decide-refund.tsx';

/** Refunds on a page of the list (the superusers' specification, section 9). */
const A_PAGE = 10;

const states: Record<AdminRefund['status'], { tone: Tone; words: string }> = {
  processing: { tone: 'warn', words: 'Processing' },
  completed: { tone: 'good', words: 'Completed' },
  denied: { tone: 'bad', words: 'Denied' },
};
const decisions: readonly { decision: Decision; words: string }[] = [
  { decision: 'approve', words: 'Approve' },
  { decision: 'deny', words: 'Deny' },
  { decision: 'reset', words: 'Reset' },
];

const columns: readonly Column<AdminRefund>[] = [
  { header: 'ID', cell: ({ id }) => id },
  {
    header: 'User',
    card: 'head',
    cell: ({ userEmail, userId }) => <Email address={userEmail ?? userId} />,
  },
  { header: 'Event', cell: ({ eventTitle, eventId }) => eventTitle ?? `Event #${eventId}` },
  { header: 'Amount', align: 'end', cell: ({ refundAmount }) => pounds(refundAmount) },
  { header: 'Reason', cell: ({ refundReason }) => refundReason ?? '-' },
  {
    header: 'Status',
    card: 'corner',
    cell: ({ status, note }) => (
      <>
        <Badge tone={states[status].tone}>{states[status].words}</Badge>
        {note ? (
          <Text size="small" tone="dim">
            {note}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    header: 'Processing',
    cell: ({ processingType }) => processingTypeLabels[processingType] ?? 'Pending Review',
  },
  { header: 'Requested', cell: ({ createdAt }) => <AtCommas>{moment(createdAt)}</AtCommas> },
];

/** Refunds, the newest first: what is owed, and the say over it. */
export const Tab = () => {
  const list = useListState(A_PAGE);
  const refunds = useRefunds({ limit: A_PAGE, offset: (list.page - 1) * A_PAGE });
  const { data: stats } = useRefundStats();
  const [deciding, setDeciding] = useState<{ refund: AdminRefund; decision: Decision }>();
  return (
    <Box gap="$16">
      <Figures>
        <Figure name="Total Refunds" value={stats?.total} />
        <Figure name="Pending" value={stats?.pending} />
        <Figure name="Completed" value={stats?.completed} />
        <Figure name="Total Amount" value={stats && pounds(stats.totalAmount)} />
      </Figures>
      <List
        title="Refund requests"
        noun="refunds"
        query={refunds}
        empty={{ title: 'No refund requests found' }}
        onRefresh={() => queryClient.invalidateQueries({ queryKey: ['admin', 'refunds'] })}
        {...{ list, columns }}
        actions={(refund) =>
          decisions
            .filter(({ decision }) => decision !== 'reset' || refund.status !== 'processing')
            .map(({ decision, words }) => (
              <Button
                key={decision}
                kind="plain"
                size="compact"
                aria-label={`${words} refund ${refund.id}`}
                onClick={() => setDeciding({ refund, decision })}
              >
                {words}
              </Button>
            ))
        }
      />
      {deciding ? <DecideRefund {...deciding} onClose={() => setDeciding(undefined)} /> : null}
    </Box>
  );
};
