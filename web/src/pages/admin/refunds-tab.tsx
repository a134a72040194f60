import { useState } from 'react';
import { type AdminRefund, processingTypeLabels } from '#domain/contracts/refunds.ts';
import { REFUNDS_A_PAGE, useRefundStats, useRefunds } from '../../api/admin.ts';
import { queryClient } from '../../api/queries.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Email } from '../../ui/email.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table, type TableRow } from '../../ui/table.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { pounds } from '../../words/money.ts';
import { moment } from '../../words/when.ts';
import { DecideRefund, type Decision } from './decide-refund.tsx';
import { pageButtons } from './pages.ts';

const columns = ['ID', 'User', 'Event', 'Amount', 'Reason', 'Status', 'Processing', 'Requested', 'Actions'];
const tones: Record<AdminRefund['status'], { tone: Tone; words: string }> = {
  processing: { tone: 'warn', words: 'Processing' },
  completed: { tone: 'good', words: 'Completed' },
  denied: { tone: 'bad', words: 'Denied' },
};
const decisions: readonly { decision: Decision; words: string; settledOnly?: true }[] = [
  { decision: 'approve', words: 'Approve' },
  { decision: 'deny', words: 'Deny' },
  { decision: 'reset', words: 'Reset', settledOnly: true },
];

const rowOf = (refund: AdminRefund, onDecide: (decision: Decision) => void): TableRow => ({
  key: refund.id,
  cells: [
    refund.id,
    <Email key="user" address={refund.userEmail ?? refund.userId} />,
    refund.eventTitle ?? `Event #${refund.eventId}`,
    pounds(refund.refundAmount),
    refund.refundReason ?? '-',
    <Box key="status" gap="$4" alignItems="flex-start">
      <Badge tone={tones[refund.status].tone}>{tones[refund.status].words}</Badge>
      {refund.note ? (
        <Text size="small" tone="dim">
          {refund.note}
        </Text>
      ) : null}
    </Box>,
    processingTypeLabels[refund.processingType] ?? 'Pending Review',
    <span key="requested" className="one-line">
      {moment(refund.createdAt)}
    </span>,
    <Row key="actions" gap="$4" flexWrap="wrap">
      {decisions
        .filter(({ settledOnly }) => !settledOnly || refund.status !== 'processing')
        .map(({ decision, words }) => (
          <Button
            key={decision}
            kind="plain"
            size="small"
            aria-label={`${words} refund ${refund.id}`}
            onClick={() => onDecide(decision)}
          >
            {words}
          </Button>
        ))}
    </Row>,
  ],
});

/** Refunds, the newest first: what is owed, and the say over it. */
export const RefundsTab = () => {
  const [page, setPage] = useState(0);
  const [deciding, setDeciding] = useState<{ refund: AdminRefund; decision: Decision }>();
  const stats = useRefundStats().data;
  const { data, isFetching, isError } = useRefunds(page);
  const pages = data ? Math.ceil(data.total / REFUNDS_A_PAGE) : 0;
  const from = page * REFUNDS_A_PAGE;
  return (
    <Box gap="$24">
      <Figures>
        <Figure name="Total Refunds" value={stats ? String(stats.total) : '…'} />
        <Figure name="Pending" value={stats ? String(stats.pending) : '…'} />
        <Figure name="Completed" value={stats ? String(stats.completed) : '…'} />
        <Figure name="Total Amount" value={stats ? pounds(stats.totalAmount) : '…'} />
      </Figures>
      <Panel>
        <Row justifyContent="space-between" gap="$16">
          <Heading size="title">Refund requests</Heading>
          <Button
            size="small"
            busy={isFetching}
            busyText="Refreshing..."
            onClick={() => queryClient.invalidateQueries({ queryKey: ['admin', 'refunds'] })}
          >
            <Icon name="refresh" size={18} /> Refresh
          </Button>
        </Row>
        {isError ? (
          <Notice tone="bad" alert title="The refunds didn’t load" />
        ) : !data ? (
          <Text tone="dim" role="status">
            Loading refunds...
          </Text>
        ) : data.items.length === 0 ? (
          <Text tone="dim">No refund requests found</Text>
        ) : (
          <>
            <Table
              label="Refund requests"
              columns={columns}
              rows={data.items.map((refund) =>
                rowOf(refund, (decision) => setDeciding({ refund, decision })),
              )}
            />
            <Row justifyContent="space-between" gap="$16" flexWrap="wrap">
              <Text size="small" tone="dim" figures>
                Showing {from + 1} to {from + data.items.length} of {data.total} refunds
              </Text>
              <Row gap="$4" render="nav" aria-label="Pages of refunds" flexWrap="wrap">
                <Button size="small" kind="plain" disabled={page === 0} onClick={() => setPage(page - 1)}>
                  Previous
                </Button>
                {pageButtons(page, pages).map((number) => (
                  <Button
                    key={number}
                    size="small"
                    kind={number === page ? 'outline' : 'plain'}
                    aria-current={number === page ? 'page' : undefined}
                    onClick={() => setPage(number)}
                  >
                    {number + 1}
                  </Button>
                ))}
                <Button
                  size="small"
                  kind="plain"
                  disabled={page + 1 >= pages}
                  onClick={() => setPage(page + 1)}
                >
                  Next
                </Button>
              </Row>
            </Row>
          </>
        )}
      </Panel>
      {deciding ? <DecideRefund {...deciding} onClose={() => setDeciding(undefined)} /> : null}
    </Box>
  );
};
