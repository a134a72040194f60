import {
  type AdminBooking,
  adminBookingCalls,
  bookingNoteRequest,
} from '#domain/contracts/admin-bookings.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';

export const BookingNote = ({
  booking: { id, bookingReference },
  onClose,
}: {
  booking: AdminBooking;
  onClose: () => void;
}) => {
  const change = useChange(adminBookingCalls.addNote, {
    params: { id },
    draft: `note ${bookingReference}`,
    stale: [],
    done: ({ message }) => ({ title: message, description: 'It is kept in the booking’s event log.' }),
    failed: 'Failed to add the note',
  });
  return (
    <FormDialog
      title={`Add a note to ${bookingReference}`}
      blank={{ note: '' }}
      check={(form) => check(bookingNoteRequest, form)}
      submit="Add note"
      busyText="Adding..."
      {...{ change, onClose }}
    >
      {({ field }) => (
        <TextArea
          label="Note"
          hint="For colleagues. Customers don’t see it in their booking, but an export of their data contains it."
          {...field('note')}
        />
      )}
    </FormDialog>
  );
};
