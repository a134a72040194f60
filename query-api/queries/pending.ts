import type { BookingParts } from '#domain/answers/bookings.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { listingOf, OF_LISTING } from './bookings.ts';

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
