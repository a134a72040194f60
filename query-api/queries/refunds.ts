import type { Kysely } from 'kysely';
import { erased } from '#domain/personal.ts';
import type { RefundParts } from '#domain/refund/answer.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import { openTexts, refundDecisionPlace, refundReasonPlace } from '#infra/read-models/sealed-text.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { disputeOf } from './disputes.ts';

/** Refunds with their booking's reference, where the disputes of their payment stand, their listing's title and their customer's address. */
export const refunds = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('refund as r')
    .innerJoin('booking as b', 'b.id', 'r.booking_id')
    .leftJoin('listing as l', 'l.id', 'r.listing_id')
    .leftJoin('person as p', 'p.account_id', 'r.user_id')
    .selectAll('r')
    .select(['b.reference', 'l.title', 'p.email'])
    .select(disputeOf(db, 'r.booking_id'));

type RefundWithBooking = Awaited<ReturnType<ReturnType<typeof refunds>['execute']>>[number];

/** What the answers about refunds are built from, with the texts that the rows keep sealed. */
export const openRefunds = async (
  keys: KeyStore,
  rows: readonly RefundWithBooking[],
): Promise<RefundParts[]> => {
  const texts = await openTexts(
    keys,
    rows.flatMap(({ booking_id, status, reason, denial_reason, notes }) => {
      const last = status === 'denied' ? 'denied' : 'approved';
      const decision = last === 'denied' ? denial_reason : notes;
      return [
        { text: reason, place: refundReasonPlace(booking_id) },
        { text: decision, place: refundDecisionPlace(booking_id, last) },
      ];
    }),
  );
  return rows.map((row, index) => ({
    refund: {
      phase: row.status,
      bookingId: row.booking_id,
      userId: row.user_id,
      listingId: row.listing_id,
      amount: row.amount,
      paid: row.paid,
      reason: texts[2 * index] ?? null,
      processingType: row.processing_type,
      failure: row.failure,
      decision: texts[2 * index + 1] || null,
      requestedAt: row.requested_at,
    },
    reference: row.reference,
    title: row.title,
    dispute: row.dispute,
    email: row.email ?? erased,
  }));
};
