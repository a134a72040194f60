import { useState } from 'react';
import type { Booking, CancellationQuote } from '#domain/contracts/bookings.ts';
import { cancelBookingRequest } from '#domain/contracts/bookings.ts';
import { failureOf } from '#web/lib/failure.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { check, useForm } from '#web/lib/formatters/form.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { when } from '#web/lib/formatters/when.ts';
import { newId } from '#web/lib/new-id.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { sayCancelled, sayQuote, wasFree } from './cancel-text.ts';
import { refetchBookings, useCancelBooking, useCancellationQuote } from './use-bookings.ts';

const obstacles: Record<NonNullable<CancellationQuote['notCancellable']>, string> = {
  not_confirmed: 'This booking is not confirmed.',
  refund_open: 'A refund for this booking is on its way already.',
  started: 'This event has already started.',
  scanned: 'This booking’s ticket has already been scanned.',
};

/** `168` hours → `7 days`. */
const notice = (hours: number): string =>
  hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;

const ruleOf = ({ policy }: CancellationQuote): string =>
  policy.map((step) => `${step.percent}% up to ${notice(step.hours)} before`).join(', ');

const Quote = ({ quote }: { quote: CancellationQuote }) => (
  <Box gap="$12">
    <Row gap="$16" justifyContent="space-between" alignItems="baseline">
      <Text>You get back</Text>
      <Heading render="span" size="headline" figures>
        {pounds(quote.refundAmount)}
      </Heading>
    </Row>
    <Text size="small" tone="dim" figures>
      {sayQuote(quote)}
    </Text>
    {wasFree(quote.paid) ? null : (
      <Text size="small" tone="dim" figures>
        {`The rule of this booking: ${ruleOf(quote)}, then none.`}
      </Text>
    )}
  </Box>
);

/** Once sent, "keep" is offered again only if the server refused. */
export const CancelDialog = ({ booking, onClose }: { booking: Booking; onClose: () => void }) => {
  const [key] = useState(() => newId());
  const { data: quote, isError } = useCancellationQuote(booking.id);
  const cancel = useCancelBooking(key);
  const [unsure, setUnsure] = useState(false);
  const close = () => {
    if (unsure) refetchBookings();
    onClose();
  };
  const { field, submit } = useForm(
    { reason: '' },
    ({ reason }) => check(cancelBookingRequest, { bookingId: booking.id, reason }),
    (sent) =>
      cancel.mutate(quote ? { ...sent, refundAmount: quote.refundAmount } : sent, {
        onSuccess: (answer) => {
          onClose();
          const description = sayCancelled(answer, booking.totalAmount);
          toast({ title: 'Booking cancelled', description, duration: 6_000 });
        },
        onError: (error) => {
          const failure = failureOf(error);
          if (failure === 'unknown') return setUnsure(true);
          if (failure === 'refused') {
            setUnsure(false);
            refetchBookings();
          }
          toastError('Cancellation Failed', sayFailure(error));
        },
      }),
  );
  return (
    <Dialog open onClose={close} title="Cancel this booking?" width={540} locked={cancel.isPending}>
      <Text>
        {`${booking.event.title}, ${when(booking.event)}. ${booking.quantity} ${booking.quantity === 1 ? 'ticket goes' : 'tickets go'} back on sale.`}
      </Text>
      {isError ? (
        <Notice tone="bad" title="We couldn’t work out your refund">
          Nothing has happened. Close this and try again in a moment.
        </Notice>
      ) : !quote ? (
        <Skeleton height={112} />
      ) : quote.cancellable ? (
        <Quote quote={quote} />
      ) : (
        <Notice tone="warn" title="This booking can’t be cancelled">
          {quote.notCancellable ? obstacles[quote.notCancellable] : 'It has been cancelled already.'}
        </Notice>
      )}
      {unsure && !cancel.isPending ? (
        <Notice tone="warn" alert title="We don’t know yet whether your booking is cancelled">
          No answer came. You can ask again: it is cancelled and paid back once at most. Your bookings show it
          as soon as it is known.
        </Notice>
      ) : null}
      <form onSubmit={submit} noValidate>
        <Box gap="$24">
          {quote && !quote.cancellable ? null : (
            <TextArea label="Why are you cancelling?" maxLength={1000} {...field('reason')} />
          )}
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="outline" onClick={close} disabled={cancel.isPending}>
              {unsure ? 'Close' : 'Keep my booking'}
            </Button>
            {quote?.cancellable ? (
              <Button kind="danger" type="submit" busy={cancel.isPending} busyText="Cancelling...">
                {unsure ? 'Ask again' : 'Cancel this booking'}
              </Button>
            ) : null}
          </Row>
        </Box>
      </form>
    </Dialog>
  );
};
