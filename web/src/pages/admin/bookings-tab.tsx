import { type AdminBooking, adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import type { BookingStatus } from '#domain/contracts/bookings.ts';
import { type Column, instant, money, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { Box } from '../../ui/box.tsx';
import { Email } from '../../ui/line-breaks.tsx';
import { Text } from '../../ui/text.tsx';
import { when } from '../../words/when.ts';
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
  states('Status', ({ status }) => [{ tone: toneOf(status), words: STATUS_NAMES[status] }], {
    card: 'corner',
  }),
  instant('Date', ({ createdAt }) => createdAt, { sort: 'date' }),
];

const { pending: _, ...statuses } = STATUS_NAMES;

/** The bookings tab: everybody's bookings. */
export const Tab = () => (
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
