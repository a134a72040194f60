import { useEffect } from 'react';
import type { Booking } from '#domain/contracts/bookings.ts';
import type { Event } from '#domain/contracts/catalogue.ts';
import { useBooking } from '#web/features/bookings/use-bookings.ts';
import { serverNow } from '#web/lib/clock.ts';
import { focusMain } from '#web/lib/focus-main.ts';
import { ago } from '#web/lib/formatters/when.ts';
import { Row } from '#web/ui/box.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { EmptyState, Waiting } from '#web/ui/page.tsx';

const titleOf = ({ unfilled, quantity }: Booking): string => {
  if (unfilled) return unfilled === 'sold_out' ? 'No tickets were left' : 'Sales had closed';
  return `You have ${quantity} ${quantity === 1 ? 'ticket' : 'tickets'}`;
};

const wordsOf = ({ unfilled, reference, bookingDate, event }: Booking): string => {
  const since = ago(bookingDate, serverNow());
  if (unfilled) {
    const why = unfilled === 'sold_out' ? 'the last ones went' : 'its sales closed';
    return `${event.title}: you paid ${since}, and ${why} at the same moment. All of your money goes back to your card (${reference}).`;
  }
  return `${event.title}: ${reference}, bought ${since}. Do you want to buy more?`;
};

/** The answer to the last payment may have been lost or reached another tab. */
export const Bought = ({
  event,
  bookingId,
  onMore,
}: {
  event: Event;
  bookingId: number;
  onMore: (known: number) => void;
}) => {
  const { data: booking, isError, refetch } = useBooking(bookingId);
  const cancelled = booking?.tab === 'cancelled' && !booking.unfilled;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each booking; `onMore` is another function each time.
  useEffect(() => {
    if (cancelled) onMore(bookingId);
  }, [cancelled, bookingId]);
  if (!booking && isError)
    return (
      <EmptyState
        level="h1"
        title="You have just paid here"
        action={<TryAgain kind="primary" refetch={refetch} />}
      >
        {`Your booking of ${event.title} is safe. Only this page could not get it; it is in your profile too.`}
      </EmptyState>
    );
  if (!booking || cancelled) return <Waiting>Looking for your booking...</Waiting>;
  return (
    <EmptyState
      level="h1"
      title={titleOf(booking)}
      action={
        <Row gap="$12" flexWrap="wrap" justifyContent="center">
          <ButtonLink to="/profile" kind="primary">
            {booking.unfilled ? 'See my bookings' : 'See my tickets'}
          </ButtonLink>
          <Button
            kind="outline"
            onClick={() => {
              onMore(bookingId);
              focusMain();
            }}
          >
            {booking.unfilled ? 'Try again' : 'Buy more'}
          </Button>
        </Row>
      }
    >
      {wordsOf(booking)}
    </EmptyState>
  );
};
