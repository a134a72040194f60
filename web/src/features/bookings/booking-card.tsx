import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Booking } from '#domain/contracts/bookings.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { addressOf, isUnauthorized } from '#web/lib/api/client.ts';
import { sessionEnded } from '#web/lib/api/session.ts';
import { serverNow } from '#web/lib/clock.ts';
import { failureOf } from '#web/lib/failure.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { ago, useSoon, when } from '#web/lib/formatters/when.ts';
import { toastError } from '#web/lib/toast.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TextButton } from '#web/ui/link.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { useRoom } from '#web/ui/room.ts';
import { Heading, Text } from '#web/ui/text.tsx';
import { Ticket } from '#web/ui/ticket.tsx';
import { BookingHistory } from './booking-history.tsx';
import { Proof } from './booking-proof.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { refundOf, statusOf } from './status.ts';
import { downloadTicket, refetchBookings } from './use-bookings.ts';

const Download = ({ booking, kind }: { booking: Booking; kind: 'primary' | 'outline' | 'plain' }) => {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      await downloadTicket(booking.id);
    } catch (error) {
      if (isUnauthorized(error)) {
        toastError('Authentication Required', 'Please sign in to download your ticket.');
        sessionEnded();
      } else {
        if (failureOf(error) === 'refused') refetchBookings();
        toastError('Download Failed', sayFailure(error, 'No answer came. Please try again.'));
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind={kind}
      size={kind === 'plain' ? 'small' : 'medium'}
      wide
      busy={busy}
      busyText="Downloading..."
      onClick={download}
    >
      <Icon name="download" /> Download ticket
    </Button>
  );
};

const refundWords = {
  pending: 'is being looked at',
  processing: 'is being paid back',
  completed: 'paid back',
} as const;

const Refund = ({ booking }: { booking: Booking }) => {
  if (!booking.refundStatus) return null;
  const { tone, words } = refundOf(booking.refundStatus);
  return (
    <Box gap="$8">
      <Badge tone={tone}>{words}</Badge>
      {booking.refundAmount && booking.refundStatus !== 'denied' ? (
        <Text size="small" tone="dim" figures>
          {`${pounds(booking.refundAmount)} ${refundWords[booking.refundStatus]}`}
        </Text>
      ) : null}
      {booking.refundNote ? (
        <Text size="small" tone="dim">
          {booking.refundNote}
        </Text>
      ) : null}
    </Box>
  );
};

const disputeWords = {
  open: 'Your bank is looking into this payment, as you or the card’s holder asked. The ticket waits meanwhile and admits nobody. If that was a mistake, tell your bank or write to us.',
  lost: 'Your bank has given this payment back, so the ticket no longer admits anybody. If that was a mistake, please write to us.',
  won: 'Your bank has looked into this payment, and all is settled: the ticket admits you.',
} as const;

/**
 * @param first its ticket is the page's main content
 * @param bought just paid for: scrolled into view
 */
export const BookingCard = ({
  booking,
  next,
  first,
  bought = false,
  proofAsked = false,
}: {
  booking: Booking;
  next?: boolean;
  first?: boolean;
  bought?: boolean;
  proofAsked?: boolean;
}) => {
  const [cancelling, setCancelling] = useState(false);
  const { event } = booking;
  const status = statusOf(booking);
  const isAhead = booking.ticketUrl !== null && booking.tab === 'upcoming';
  const isCancellable = booking.cancellable && !booking.refundStatus;
  const near = useSoon(event);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (bought) place.current?.scrollIntoView({ block: 'center' });
  }, [bought]);
  // The ticket comes first in narrow layouts too. Rotating a phone keeps open sections open.
  const isWide = useRoom(720);
  const [historyOpen, openHistory] = useState(false);
  const [proofOpen, openProof] = useState(proofAsked);
  const story = (
    <div className="booking-story">
      <Text size="small" tone="dim" figures>
        {`Booking ${booking.reference}`}
      </Text>
      {booking.status === 'pending' ? null : (
        <>
          <BookingHistory id={booking.id} zone={event.zone} open={historyOpen} onOpen={openHistory} />
          <Proof booking={booking} asked={proofAsked} open={proofOpen} onOpen={openProof} />
        </>
      )}
    </div>
  );
  return (
    <Ticket
      ref={place}
      wide
      label={`Booking ${booking.reference}: ${event.title}`}
      stub={
        <Box padding="$20" gap="$16" $md={{ padding: '$24' }}>
          <Box>
            <Heading render="p" size="title" figures>
              {`${booking.quantity} ${booking.quantity === 1 ? 'ticket' : 'tickets'}`}
            </Heading>
            <Text tone="dim" figures>
              {Number(booking.totalAmount) === 0 ? 'Free' : `${pounds(booking.totalAmount)} paid`}
            </Text>
          </Box>
          <Box gap="$8">
            {booking.ticketUrl ? (
              <Download
                booking={booking}
                kind={first ? 'primary' : booking.tab === 'upcoming' ? 'outline' : 'plain'}
              />
            ) : null}
            {booking.refundStatus ? <Refund booking={booking} /> : null}
            {isAhead || isCancellable ? (
              <Row justifyContent="center" flexWrap="wrap" columnGap="$24">
                {isAhead ? (
                  <a
                    className="link"
                    href={addressOf(catalogueCalls.calendar, { params: { id: event.id } })}
                    download
                  >
                    Add to calendar
                  </a>
                ) : null}
                {isCancellable ? (
                  <TextButton onClick={() => setCancelling(true)}>Cancel booking</TextButton>
                ) : null}
              </Row>
            ) : null}
          </Box>
          {isWide ? null : story}
        </Box>
      }
    >
      <div
        className="booking"
        data-next={next || undefined}
        data-over={booking.tab !== 'upcoming' || undefined}
      >
        <Poster
          of={event}
          ratio="1"
          sizes={next ? '(min-width: 720px) 216px, 88px' : '(min-width: 720px) 136px, 88px'}
        />
        <Box gap="$8">
          <Row gap="$12" flexWrap="wrap">
            <Badge tone={status.tone}>{status.words}</Badge>
            {near && booking.tab === 'upcoming' ? (
              <Text size="small" strong tone="lime">
                {near}
              </Text>
            ) : null}
            {bought ? (
              <Text size="small" strong tone="lime">
                {`Booked ${ago(booking.bookingDate, serverNow())}`}
              </Text>
            ) : null}
          </Row>
          <Heading
            render="h3"
            size={next ? 'title' : 'lead'}
            $md={
              next
                ? { fontSize: '$headline', lineHeight: '$headline' }
                : { fontSize: '$title', lineHeight: '$title' }
            }
          >
            <Link to={`/events/${event.id}`} className="booking-title">
              {event.title}
            </Link>
          </Heading>
          <Text figures>{when(event)}</Text>
          <Text tone="dim">{`${event.venue}, ${event.city}`}</Text>
          {booking.status === 'pending' ? (
            <Text size="small">
              Your payment has arrived, and your tickets are being booked. There is nothing to do: this page
              shows them as soon as they are.
            </Text>
          ) : null}
          {booking.unfilled ? (
            <Text size="small">
              Your payment came when no ticket could be had any more. All of it goes back to you.
            </Text>
          ) : null}
          {booking.ticketUrl && booking.dispute ? (
            <Text size="small">{disputeWords[booking.dispute]}</Text>
          ) : null}
        </Box>
        {isWide ? story : null}
      </div>
      {cancelling ? <CancelDialog booking={booking} onClose={() => setCancelling(false)} /> : null}
    </Ticket>
  );
};
