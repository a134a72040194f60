import { cancellationQuote } from '#domain/booking/quote.ts';
import { type BookingState, shownStatus } from '#domain/booking/state.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { Booking, CancellationQuote, NOT_CANCELLABLE } from '#domain/contracts/bookings.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { orElse } from '#domain/kernel/personal.ts';
import type { ListingDetails, Schedule } from '#domain/listing/events.ts';
import { isOver } from '#domain/listing/state.ts';
import { sayFailure, sayParts } from '#domain/refund/events.ts';
import { customerStatus, type RefundState } from '#domain/refund/state.ts';
import { absolute } from './picture.ts';

export interface BookingParts {
  readonly booking: Pick<BookingState, 'facts' | 'status'> & {
    readonly unfilled: Unfilled | null;
    readonly cancellation: Pick<NonNullable<BookingState['cancellation']>, 'at' | 'reason'> | null;
  };
  readonly listing: {
    readonly details: Pick<ListingDetails, 'title' | 'location' | 'category' | 'imageUrl'> | null;
    readonly schedule: Schedule | null;
  };
  readonly city: { readonly name: string };
  readonly venue: { readonly name: string };
  readonly refund: Pick<RefundState, 'phase' | 'amount' | 'attempt' | 'byHand' | 'decision'>;
  readonly admitted: number;
  readonly dispute: Booking['dispute'];
}

const WHY: Readonly<Partial<Record<ErrorCode, (typeof NOT_CANCELLABLE)[number]>>> = {
  BOOKING_NOT_CANCELLABLE: 'not_confirmed',
  EVENT_STARTED: 'started',
  ALREADY_SCANNED: 'scanned',
};

const OPEN: readonly RefundState['phase'][] = ['requested', 'approved', 'submitted', 'failed'];

const known = ({ booking, listing }: BookingParts) => {
  const { facts, status } = booking;
  const { details, schedule } = listing;
  if (!facts || status === 'none' || !details || !schedule)
    throw new Error('a booking that was never placed, or is for a listing that was never made');
  return { facts, status, details, schedule };
};

export const toCancellationQuote = (parts: BookingParts, now: Date): CancellationQuote => {
  const { facts, schedule } = known(parts);
  const quote = cancellationQuote(parts.booking, {
    by: 'customer',
    at: now.toISOString(),
    startsAt: schedule.startsAt,
    admitted: parts.admitted > 0,
  });
  const allowed = quote.allowed && !OPEN.includes(parts.refund.phase);
  return {
    cancellable: allowed,
    notCancellable: allowed ? null : quote.allowed ? 'refund_open' : (WHY[quote.why] ?? 'not_confirmed'),
    paid: toDecimal(facts.quote.total),
    percent: allowed ? quote.percent : 0,
    refundAmount: toDecimal(allowed ? quote.refund : 0),
    policy: facts.policy.map(({ hours, percent }) => ({ hours, percent })),
    rescheduled: schedule.startsAt !== facts.startsAt,
  };
};

const noteOf = (refund: BookingParts['refund']): string | null => {
  if (refund.phase === 'denied') return orElse(refund.decision, null);
  return refund.phase === 'failed'
    ? `Your bank did not take it. ${sayFailure(refund.attempt)}`
    : sayParts(refund);
};

/** @throws if the booking was never placed */
export const toBooking = (
  parts: BookingParts,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: Date },
): Booking => {
  const { booking, refund } = parts;
  const { facts, status: own, details, schedule } = known(parts);
  const status = shownStatus(own, refund.phase);
  const { bookingId: id, quote } = facts;
  const offer = toCancellationQuote(parts, now);
  const over = isOver(schedule, now);
  const confirmed = status === 'confirmed';
  // The refund of a reinstated booking was withdrawn; do not show it as denied.
  const phase = confirmed && refund.phase === 'denied' ? 'none' : refund.phase;
  return {
    id,
    reference: facts.reference,
    status: confirmed && over ? 'completed' : status,
    tab: !confirmed ? 'cancelled' : over ? 'past' : 'upcoming',
    quantity: quote.quantity,
    unitPrice: toDecimal(quote.unitPrice),
    discountAmount: toDecimal(quote.discount),
    promoCode: quote.promotion?.code ?? null,
    totalAmount: toDecimal(quote.total),
    bookingDate: facts.placedAt,
    event: {
      id: facts.listingId,
      title: details.title,
      date: schedule.date,
      time: schedule.time,
      startsAt: schedule.startsAt,
      zone: schedule.zone,
      venue: parts.venue.name,
      city: parts.city.name,
      location: details.location,
      category: details.category,
      imageUrl: absolute(details.imageUrl, baseUrl),
    },
    refundStatus: phase === 'none' ? null : customerStatus(phase),
    refundAmount: phase === 'none' ? null : toDecimal(refund.amount),
    refundNote: noteOf({ ...refund, phase }),
    cancelledAt: booking.cancellation?.at ?? null,
    cancellationReason: orElse(booking.cancellation?.reason ?? null, null),
    unfilled: booking.unfilled,
    dispute: parts.dispute,
    cancellable: offer.cancellable,
    notCancellable: offer.notCancellable,
    refundPercent: offer.percent,
    refundQuote: offer.refundAmount,
    ticketUrl: confirmed ? `/api/tickets/${id}/download` : null,
    historyUrl: `/api/bookings/${id}/history`,
  };
};

export const toPendingBooking = (...of: Parameters<typeof toBooking>): Booking => ({
  ...toBooking(...of),
  ...{ status: 'pending', cancellable: false, notCancellable: 'not_confirmed', ticketUrl: null },
  ...{ refundPercent: 0, refundQuote: toDecimal(0) },
});
