import { type AdminBooking, adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import type { BookingStatus } from '#domain/contracts/bookings.ts';
import { useAnswer } from '../../api/answers.ts';
import { type Column, instant, money, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { Box, Panel } from '../../ui/box.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Email } from '../../ui/line-breaks.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { when } from '../../words/when.ts';
import { disputeStates } from './disputes-panel.tsx';
import { EditBooking, nameOfCustomer, STATUS_NAMES } from './edit-booking.tsx';

const tones = {
  confirmed: 'good',
  pending: 'warn',
  cancelled: 'bad',
  refunded: 'plain',
  completed: 'plain',
} as const;
const toneOf = (status: BookingStatus) => tones[status];

const columns: readonly Column<AdminBooking>[] = [
  { header: 'Reference', sort: 'reference', card: 'head', cell: ({ bookingReference }) => bookingReference },
  {
    header: 'User',
    sort: 'user',
    cell: ({ user }) => (
      <Box>
        <span>{nameOfCustomer(user)}</span>
        {user.email ? (
          <span>
            <Email address={user.email} />
          </span>
        ) : null}
      </Box>
    ),
  },
  {
    header: 'Event',
    sort: 'event',
    cell: ({ event }) => (
      <Box>
        <span>{event.title}</span>
        <Text size="small" tone="dim">
          {when(event)}
        </Text>
      </Box>
    ),
  },
  { header: 'Quantity', sort: 'quantity', align: 'end', cell: ({ quantity }) => quantity },
  money('Amount', ({ totalAmount }) => totalAmount, { sort: 'amount' }),
  states(
    'Status',
    ({ status, dispute }) => [
      { tone: toneOf(status), words: STATUS_NAMES[status] },
      ...(dispute ? [disputeStates[dispute]] : []),
    ],
    { card: 'corner' },
  ),
  instant('Date', ({ createdAt }) => createdAt, { sort: 'date' }),
];

const { pending: _, ...statuses } = STATUS_NAMES;

/** What was paid and is not booked yet. Nothing is shown while there is nothing of that kind, which is nearly always. */
const Pending = () => {
  const { data = [] } = useAnswer(adminBookingCalls.pending);
  if (data.length === 0) return null;
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

/** The bookings tab: everybody's bookings. */
export const Tab = () => (
  <Box gap="$24">
    <Pending />
    <Everybody />
  </Box>
);

const Everybody = () => (
  <List
    call={adminBookingCalls.list}
    exportCall={adminBookingCalls.exportCsv}
    exportWords="Export Bookings"
    title="Bookings"
    noun="bookings"
    empty={{ title: 'No bookings yet', text: 'They come in as people buy.' }}
    columns={columns}
    perPage={25}
    search="Search by reference, customer or event"
    filters={[{ name: 'status', label: 'Status', all: 'All statuses', options: statuses }]}
    actions={(booking) => [
      {
        words: 'Edit',
        label: `Edit booking ${booking.bookingReference}`,
        open: (onClose) => <EditBooking {...{ booking, onClose }} />,
      },
    ]}
  />
);
