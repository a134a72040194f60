import { type AdminBooking, adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { Panel } from '#web/ui/box.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import type { Column } from '#web/ui/list/columns.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

export const PendingPanel = ({ columns }: { columns: readonly Column<AdminBooking>[] }) => {
  const { data, error, refetch } = useAnswer(adminBookingCalls.pending);
  if (error && !data) return <NotLoaded what="What is paid and not booked yet" {...{ error, refetch }} />;
  if (!data || data.length === 0) return null;
  return (
    <Panel padding="$20" gap="$12" $md={{ padding: '$24' }}>
      <Heading size="title">Paid, not booked yet</Heading>
      <Text tone="dim">
        Each becomes a booking by itself, or its money goes back if no ticket is left. What stays here has its
        reason on the dashboard, under “What keeps failing”.
      </Text>
      <DataTable label="Paid, not booked yet" columns={columns} rows={data} skeletons={1} />
    </Panel>
  );
};
