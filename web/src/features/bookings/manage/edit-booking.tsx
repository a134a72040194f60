import { useState } from 'react';
import {
  type AdminBooking,
  adminBookingCalls,
  editBookingRequest,
} from '#domain/contracts/admin-bookings.ts';
import type { BookingStatus } from '#domain/contracts/bookings.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { when } from '#web/lib/formatters/when.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { Text } from '#web/ui/text.tsx';

export const STATUS_NAMES: Readonly<Record<BookingStatus, string>> = {
  pending: 'Pending',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
  refunded: 'Refunded',
};

export const nameOfCustomer = ({ firstName, lastName }: AdminBooking['user']): string =>
  [firstName, lastName].filter(Boolean).join(' ') || 'Deleted account';

const tickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);

const consequence = ({ status, quantity, totalAmount }: AdminBooking, chosen: string): string => {
  const free = Number(totalAmount) === 0;
  if (status !== 'confirmed' && status !== 'cancelled')
    return `A booking that is ${status} doesn’t change by hand.`;
  if (chosen === status) return 'Choose the other status to change it.';
  if (chosen === 'confirmed')
    return `Takes ${tickets(quantity)} again${free ? '' : ', withdraws the refund'} and mails the customer their tickets.`;
  return `Puts ${tickets(quantity)} back on sale and mails the customer. ${
    free ? 'It was free.' : `A refund of ${pounds(totalAmount)} awaits review under Refunds.`
  }`;
};

const stale = [adminBookingCalls.list, refundCalls.list];

const ReissueTicket = ({
  booking: { id, bookingReference },
  onClose,
}: {
  booking: AdminBooking;
  onClose: () => void;
}) => (
  <RemoveDialog
    call={adminBookingCalls.reissue}
    change={{
      params: { id },
      stale,
      done: ({ message }) => ({ title: 'Ticket reissued', description: message }),
      failed: 'Failed to reissue the ticket',
    }}
    title={`Reissue the ticket of ${bookingReference}?`}
    confirm="Reissue it"
    refuse="Leave it"
    busyText="Reissuing..."
    onClose={onClose}
  >
    Codes that the customer has, on paper or on a phone, no longer admit. They get a new ticket by email.
  </RemoveDialog>
);

export const EditBooking = ({ booking, onClose }: { booking: AdminBooking; onClose: () => void }) => {
  const [reissuing, setReissuing] = useState(false);
  const { id, bookingReference, user, event, quantity, totalAmount, status } = booking;
  const change = useChange(adminBookingCalls.edit, {
    params: { id },
    draft: `booking ${bookingReference}`,
    stale,
    done: ({ message }) => ({ title: 'Booking updated', description: message }),
    failed: 'Failed to update booking',
  });
  const choices: readonly BookingStatus[] =
    status === 'confirmed' || status === 'cancelled' ? ['confirmed', 'cancelled'] : [status];
  return (
    <FormDialog
      title={`Edit booking ${bookingReference}`}
      blank={{ status: status as string }}
      check={(form) => check(editBookingRequest, form)}
      submit="Save"
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ form, field }) => (
        <>
          <Box gap="$4">
            <Text>{`${event.title}, ${when(event)}`}</Text>
            <Text tone="dim">
              {`${nameOfCustomer(user)}${user.email ? ` (${user.email})` : ''} · ${tickets(quantity)} · ${pounds(totalAmount)}`}
            </Text>
          </Box>
          <Select
            label="Status"
            hint={consequence(booking, form.status)}
            options={choices.map((value) => ({ value, label: STATUS_NAMES[value] }))}
            {...field('status')}
          />
          {status === 'confirmed' ? (
            <Row>
              <Button kind="outline" size="compact" onClick={() => setReissuing(true)}>
                Reissue ticket
              </Button>
            </Row>
          ) : null}
          {reissuing ? <ReissueTicket {...{ booking }} onClose={() => setReissuing(false)} /> : null}
        </>
      )}
    </FormDialog>
  );
};
