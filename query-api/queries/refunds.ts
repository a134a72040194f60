import type { Kysely } from 'kysely';
import type { RefundParts } from '#domain/answers/refunds.ts';
import type { AnswerOf } from '#domain/contracts/call.ts';
import type { refundCalls } from '#domain/contracts/refunds.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { erased } from '#domain/kernel/personal.ts';
import { adminStatus } from '#domain/refund/state.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import { openTexts, refundDecisionPlace, refundReasonPlace } from '#infra/read-models/sealed-text.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { disputeOf } from './disputes.ts';

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
      byHand: row.by_hand,
      withdrawn: row.decided_by === 'reinstatement',
      decision: texts[2 * index + 1] || null,
      requestedAt: row.requested_at,
    },
    reference: row.reference,
    title: row.title,
    dispute: row.dispute,
    email: row.email ?? erased,
  }));
};

export const refundStats = async (db: Kysely<ReadModels>): Promise<AnswerOf<typeof refundCalls.stats>> => {
  const rows = await db
    .selectFrom('refund')
    .select((eb) => [
      'status',
      eb.fn.countAll<string>().as('count'),
      eb.fn.sum<string>('amount').as('amount'),
    ])
    .groupBy('status')
    .execute();
  const stats = { total: 0, pending: 0, completed: 0, amount: 0 };
  for (const row of rows) {
    const count = Number(row.count);
    const { status } = adminStatus(row.status);
    stats.total += count;
    stats.amount += Number(row.amount);
    if (status === 'processing') stats.pending += count;
    if (status === 'completed') stats.completed += count;
  }
  const { amount, ...counts } = stats;
  return { ...counts, totalAmount: toDecimal(amount) };
};
