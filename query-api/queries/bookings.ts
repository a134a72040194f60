import type { Kysely } from 'kysely';
import { cancellationQuote } from '#domain/booking/quote.ts';
import { type BookingState, initial } from '#domain/booking/state.ts';
import type { Booking, CancellationQuote, NOT_CANCELLABLE } from '#domain/contracts/bookings.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { toDecimal } from '#domain/money.ts';
import { customerStatus } from '#domain/refund/state.ts';
import { endOfDay } from '#domain/zone.ts';
import { absolute } from '#infra/images/picture.ts';
import type { BookingRow, ReadModels, RefundRow } from '#infra/read-models/tables.ts';

/** A booking with its listing, its refund and how much of its party is in. */
export const bookings = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('booking as b')
    .innerJoin('listing as l', 'l.id', 'b.listing_id')
    .innerJoin('venue as v', 'v.id', 'l.venue_id')
    .innerJoin('city as c', 'c.id', 'l.city_id')
    .leftJoin('refund as r', 'r.booking_id', 'b.id')
    .leftJoin('admission as a', 'a.booking_id', 'b.id')
    .selectAll('b')
    .select([
      'l.title',
      'l.date',
      'l.time',
      'l.zone',
      'l.starts_at',
      'l.location',
      'l.category',
      'l.image_url',
      'v.name as venue',
      'c.name as city',
      'r.status as refund_status',
      'r.amount as refund_now',
      'r.denial_reason',
      'a.admitted',
    ]);

/** A row of `bookings`. */
export type BookingWithListing = Awaited<ReturnType<ReturnType<typeof bookings>['execute']>>[number];

/** The row as the decider's state, so that what the dialog quotes is what the decision takes. */
const asState = (row: BookingRow): BookingState => ({
  ...initial,
  facts: {
    bookingId: row.id,
    reference: row.reference,
    userId: row.user_id,
    listingId: row.listing_id,
    attempt: row.attempt,
    quote: {
      unitPrice: row.unit_price,
      quantity: row.quantity,
      discount: row.discount,
      total: row.total,
      currency: 'gbp',
      promotion: null,
    },
    intentId: row.intent_id,
    policy: row.policy,
    startsAt: row.booked_start,
    placedAt: row.placed_at,
  },
  status: row.status,
  epoch: row.epoch,
});

const WHY: Readonly<Partial<Record<ErrorCode, (typeof NOT_CANCELLABLE)[number]>>> = {
  BOOKING_NOT_CANCELLABLE: 'not_confirmed',
  EVENT_STARTED: 'started',
  ALREADY_SCANNED: 'scanned',
};

const OPEN_REFUNDS: readonly RefundRow['status'][] = ['requested', 'approved', 'submitted', 'failed'];

/** What a cancellation by its customer would give now. */
export const quoteFor = (row: BookingWithListing, now: Date): CancellationQuote => {
  const quote = cancellationQuote(asState(row), {
    by: 'customer',
    at: now.toISOString(),
    startsAt: row.starts_at,
    rescheduled: row.starts_at !== row.booked_start,
    admitted: (row.admitted ?? 0) > 0,
  });
  const refundOpen = row.refund_status !== null && OPEN_REFUNDS.includes(row.refund_status);
  const allowed = quote.allowed && !refundOpen;
  return {
    cancellable: allowed,
    notCancellable: allowed ? null : quote.allowed ? 'refund_open' : (WHY[quote.why] ?? 'not_confirmed'),
    paid: toDecimal(row.total),
    percent: allowed ? quote.percent : 0,
    refundAmount: toDecimal(allowed ? quote.refund : 0),
    policy: row.policy.map(({ hours, percent }) => ({ hours, percent })),
    rescheduled: row.starts_at !== row.booked_start,
  };
};

const isOver = (row: BookingWithListing, now: Date): boolean =>
  Date.parse(endOfDay(row.date, row.zone)) <= now.getTime();

/** A booking as its customer sees it. `reason` and `denial` are the opened texts of its cancellation and of a denied refund. */
export const toBooking = (
  row: BookingWithListing,
  view: {
    readonly baseUrl: string;
    readonly now: Date;
    readonly reason: string | null;
    readonly denial: string | null;
  },
): Booking => {
  const quote = quoteFor(row, view.now);
  const over = isOver(row, view.now);
  const confirmed = row.status === 'confirmed';
  const status = confirmed && over ? 'completed' : row.status;
  return {
    id: row.id,
    reference: row.reference,
    status,
    tab: !confirmed ? 'cancelled' : over ? 'past' : 'upcoming',
    quantity: row.quantity,
    unitPrice: toDecimal(row.unit_price),
    discountAmount: toDecimal(row.discount),
    promoCode: row.promo_code,
    totalAmount: toDecimal(row.total),
    bookingDate: row.placed_at,
    event: {
      id: row.listing_id,
      title: row.title,
      date: row.date,
      time: row.time,
      startsAt: row.starts_at,
      zone: row.zone,
      venue: row.venue,
      city: row.city,
      location: row.location,
      category: row.category,
      imageUrl: absolute(row.image_url, view.baseUrl),
    },
    refundStatus: row.refund_status ? customerStatus(row.refund_status) : null,
    refundAmount: row.refund_now === null ? null : toDecimal(row.refund_now),
    refundNote: row.refund_status === 'denied' ? view.denial : null,
    cancelledAt: row.cancelled_at,
    cancellationReason: view.reason,
    unfilled: row.unfilled !== null,
    cancellable: quote.cancellable,
    notCancellable: quote.notCancellable,
    refundPercent: quote.percent,
    refundQuote: quote.refundAmount,
    ticketUrl: confirmed ? `/api/tickets/${row.id}/download` : null,
    historyUrl: `/api/bookings/${row.id}/history`,
  };
};
