import { type AdminDispute, disputeCalls } from '#domain/contracts/admin-disputes.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { Panel } from '#web/ui/box.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { type Column, dated, email, instant, money, states } from '#web/ui/list/columns.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export const disputeStates = {
  open: { tone: 'warn', words: 'Disputed' },
  won: { tone: 'good', words: 'Dispute won' },
  lost: { tone: 'bad', words: 'Dispute lost' },
} as const;

const asked = { tone: 'warn', words: 'Inquiry' } as const;

const columns: readonly Column<AdminDispute>[] = [
  { header: 'Booking', cell: ({ bookingReference, bookingId }) => bookingReference ?? `#${bookingId}` },
  email('User', ({ userEmail }) => userEmail ?? '-', { card: 'head' }),
  { header: 'Event', cell: ({ eventTitle }) => eventTitle ?? '-' },
  money('Amount', ({ amount }) => amount),
  { header: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
  states('Status', ({ status, inquiry }) => [inquiry ? asked : disputeStates[status]], { card: 'corner' }),
  instant('Opened', ({ createdAt }) => createdAt),
  dated('Answer until', ({ dueBy, status }) => (dueBy && status === 'open' ? moment(dueBy) : '-')),
];

export const DisputesPanel = () => {
  const { data, error, refetch } = useAnswer(disputeCalls.list, { query: { limit: 50 } });
  if (error && !data) return <NotLoaded what="The disputed payments" {...{ error, refetch }} />;
  if (!data || data.length === 0) return null;
  return (
    <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
      <Heading size="title">Disputed payments</Heading>
      <Text tone="dim">
        A customer told their bank that the payment was wrong. Send evidence at the payment provider; until it
        is won, the money can’t be paid back. Of an inquiry the bank only asks: it has taken nothing, and the
        tickets admit.
      </Text>
      <DataTable label="Disputed payments" columns={columns} rows={data} skeletons={1} />
    </Panel>
  );
};
