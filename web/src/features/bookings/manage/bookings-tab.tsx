import { type AdminBooking, adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import { disputeStates } from '#web/features/refunds/disputes-panel.tsx';
import { when } from '#web/lib/formatters/when.ts';
import { Box } from '#web/ui/box.tsx';
import { AtCommas, Email } from '#web/ui/line-breaks.tsx';
import { type Column, instant, money, states } from '#web/ui/list/columns.tsx';
import { byStatus, List, type RowAction } from '#web/ui/list/list.tsx';
import { Text } from '#web/ui/text.tsx';
import { BookingNote } from './booking-note.tsx';
import { EditBooking, nameOfCustomer, STATUS_NAMES } from './edit-booking.tsx';
import { PendingPanel } from './pending-panel.tsx';

const tones = {
  confirmed: 'good',
  pending: 'warn',
  cancelled: 'bad',
  refunded: 'plain',
  completed: 'plain',
} as const;

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
          <AtCommas>{when(event)}</AtCommas>
        </Text>
      </Box>
    ),
  },
  { header: 'Quantity', sort: 'quantity', align: 'end', cell: ({ quantity }) => quantity },
  money('Amount', ({ totalAmount }) => totalAmount, { sort: 'amount' }),
  states(
    'Status',
    ({ status, dispute }) => [
      { tone: tones[status], words: STATUS_NAMES[status] },
      ...(dispute ? [disputeStates[dispute]] : []),
    ],
    { card: 'corner' },
  ),
  instant('Date', ({ createdAt }) => createdAt, { sort: 'date' }),
];

const { pending: _, ...statuses } = STATUS_NAMES;

const toRefund = ({ bookingReference, status, totalAmount }: AdminBooking): readonly RowAction[] =>
  (status === 'cancelled' || status === 'refunded') && Number(totalAmount) > 0
    ? [
        {
          words: 'Refund',
          label: `Refund of booking ${bookingReference}`,
          to: `/admin?tab=refunds&search=${bookingReference}`,
        },
      ]
    : [];

export const Tab = () => (
  <Box gap="$24">
    <PendingPanel columns={columns} />
    <List
      call={adminBookingCalls.list}
      exportCall={adminBookingCalls.exportCsv}
      exportWords="Export Bookings"
      title="Bookings"
      empty={{ title: 'No bookings yet', text: 'They come in as people buy.' }}
      columns={columns}
      search="Search by reference, customer or event"
      filters={[byStatus(statuses)]}
      nameOf={({ bookingReference }) => `booking ${bookingReference}`}
      actions={(booking) => [
        { words: 'Edit', open: (onClose) => <EditBooking {...{ booking, onClose }} /> },
        {
          words: 'Note',
          label: `Add a note to booking ${booking.bookingReference}`,
          open: (onClose) => <BookingNote {...{ booking, onClose }} />,
        },
        ...toRefund(booking),
      ]}
    />
  </Box>
);
