import { type Kysely, type SqlBool, sql } from 'kysely';
import type { BookingParts } from '#domain/answers/bookings.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import { cancelReasonPlace, openTexts, refundDecisionPlace } from '#infra/read-models/sealed-text.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { disputeOf } from './disputes.ts';

export const OF_LISTING = [
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
] as const;

export const bookings = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('booking as b')
    .innerJoin('listing as l', 'l.id', 'b.listing_id')
    .innerJoin('venue as v', 'v.id', 'l.venue_id')
    .innerJoin('city as c', 'c.id', 'l.city_id')
    .leftJoin('refund as r', 'r.booking_id', 'b.id')
    .leftJoin('admission as a', 'a.booking_id', 'b.id')
    .selectAll('b')
    .select(OF_LISTING)
    .select([
      'r.status as refund_status',
      'r.amount as refund_now',
      'r.attempt as refund_attempt',
      'r.by_hand as refund_by_hand',
      'r.denial_reason',
      'a.admitted',
      'a.suspended',
    ])
    .select(disputeOf(db, 'b.id'));

export const cancellable = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('booking as b')
    .innerJoin('listing as l', 'l.id', 'b.listing_id')
    .leftJoin('admission as a', 'a.booking_id', 'b.id')
    .select([
      sql<number>`count(*)::int`.as('bookings'),
      sql<number>`coalesce(sum(b.quantity), 0)::int`.as('tickets'),
      sql<string>`coalesce(sum(b.total), 0)`.as('paid'),
    ])
    .where('b.status', '=', 'confirmed')
    .where(sql<SqlBool>`coalesce(a.admitted, 0) = 0`);

export type BookingWithListing = Awaited<ReturnType<ReturnType<typeof bookings>['execute']>>[number];

export const listingOf = (
  row: Pick<
    BookingWithListing,
    | 'title'
    | 'date'
    | 'time'
    | 'zone'
    | 'starts_at'
    | 'location'
    | 'category'
    | 'image_url'
    | 'venue'
    | 'city'
  >,
): Pick<BookingParts, 'listing' | 'city' | 'venue'> => ({
  listing: {
    details: { title: row.title, location: row.location, category: row.category, imageUrl: row.image_url },
    schedule: { date: row.date, time: row.time, zone: row.zone, startsAt: row.starts_at },
  },
  city: { name: row.city },
  venue: { name: row.venue },
});

export const bookingParts = (row: BookingWithListing): BookingParts => ({
  booking: {
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
        promotion:
          row.promotion_id === null || row.promo_code === null
            ? null
            : { promotionId: row.promotion_id, code: row.promo_code },
      },
      intentId: row.intent_id,
      policy: row.policy,
      startsAt: row.booked_start,
      placedAt: row.placed_at,
    },
    status: row.status,
    unfilled: row.unfilled,
    cancellation: row.cancelled_at === null ? null : { at: row.cancelled_at, reason: null },
  },
  ...listingOf(row),
  refund: {
    phase: row.refund_status ?? 'none',
    amount: row.refund_now ?? 0,
    attempt: row.refund_attempt ?? 0,
    byHand: row.refund_by_hand ?? 0,
    decision: null,
  },
  admitted: row.admitted ?? 0,
  dispute: row.dispute,
});

export const openBookings = async (
  keys: KeyStore,
  rows: readonly BookingWithListing[],
): Promise<BookingParts[]> => {
  const texts = await openTexts(
    keys,
    rows.flatMap((row) => [
      { text: row.cancel_reason, place: cancelReasonPlace(row.id) },
      { text: row.denial_reason, place: refundDecisionPlace(row.id, 'denied') },
    ]),
  );
  return rows.map((row, index) => {
    const parts = bookingParts(row);
    const { booking, refund } = parts;
    const reason = texts[2 * index] ?? null;
    const cancellation = booking.cancellation && { ...booking.cancellation, reason };
    const decision = texts[2 * index + 1] ?? null;
    return { ...parts, booking: { ...booking, cancellation }, refund: { ...refund, decision } };
  });
};

const NEWEST = { backwards: true, limit: 500 } as const;
const MOST = 50;

/** They exist only for moments, and are shown as already made. */
export const pendingBookings = async (
  { db, log, codec }: Pick<QueryContext, 'db' | 'log' | 'codec'>,
  userId?: string,
) => {
  let paid = db
    .selectFrom('paid_attempt as a')
    .innerJoin('listing as l', 'l.id', 'a.listing_id')
    .innerJoin('venue as v', 'v.id', 'l.venue_id')
    .innerJoin('city as c', 'c.id', 'l.city_id')
    .leftJoin('person as p', 'p.account_id', 'a.user_id')
    .selectAll('a')
    .select(OF_LISTING)
    .select(['p.email', 'p.first_name', 'p.last_name'])
    .orderBy('a.paid_at', 'desc')
    .limit(MOST);
  if (userId !== undefined) paid = paid.where('a.user_id', '=', userId);
  const found = await Promise.all(
    (await paid.execute()).map(async (row) => {
      const records = [];
      for await (const record of log.readStream(
        streamOf(checkout, checkoutId(row.user_id, row.listing_id)),
        NEWEST,
      ))
        if (record.type === 'CheckoutOpened') records.push(record);
      const opened = (await codec.decode<CheckoutEvent>(records)).flatMap(({ event }) =>
        event.type === 'CheckoutOpened' && event.data.attempt === row.attempt ? [event.data] : [],
      )[0];
      if (!opened) return [];
      const { bookingId, reference, attempt, quote } = opened;
      const facts = {
        ...{ bookingId, reference, attempt, quote, userId: row.user_id, listingId: row.listing_id },
        ...{ intentId: row.intent_id, policy: REFUND_POLICY, startsAt: row.starts_at, placedAt: row.paid_at },
      };
      const parts: BookingParts & { readonly booking: { readonly facts: typeof facts } } = {
        booking: { facts, status: 'confirmed', unfilled: null, cancellation: null },
        ...listingOf(row),
        refund: { phase: 'none', amount: 0, attempt: 0, byHand: 0, decision: null },
        admitted: 0,
        dispute: null,
      };
      return [{ row, parts }];
    }),
  );
  return found.flat();
};
