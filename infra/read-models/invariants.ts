import type pg from 'pg';
import { MOST_REFUND_ATTEMPTS } from '#domain/kernel/policy.ts';
import { LIVE } from './read-models.ts';

/** Names no person. */
export interface Violation {
  readonly rule:
    | 'tickets within capacity'
    | 'no count below zero'
    | 'sold equals confirmed bookings'
    | 'refunded at most what was paid'
    | 'refunds reach their buyer'
    | 'paid attempts are booked or refunded';
  readonly of: string;
  readonly detail: string;
}

export interface InvariantOptions {
  /** Milliseconds after the last change: a purchase or cancellation writes several streams in turn. Default 60,000. */
  readonly settleAfter?: number;
  readonly now: Date;
}

/** In one snapshot. Rules that compare streams skip listings with an unsettled change. */
export const findViolations = async (
  pool: Pick<pg.Pool, 'query'>,
  { settleAfter = 60_000, now }: InvariantOptions,
): Promise<readonly Violation[]> => {
  const settled = new Date(now.getTime() - settleAfter);
  const { rows } = await pool.query<Violation>(
    `WITH booked AS (
      SELECT listing_id, sum(quantity)::integer AS quantity FROM ${LIVE}.booking
      WHERE status = 'confirmed' GROUP BY listing_id
    ), moving AS (
      SELECT listing_id FROM ${LIVE}.paid_attempt
      UNION SELECT listing_id FROM ${LIVE}.booking WHERE changed_at > $1
    )
    SELECT 'tickets within capacity' AS rule, listing_id::text AS of,
        format('%s sold and %s held of %s', sold, held, capacity) AS detail
      FROM ${LIVE}.inventory WHERE sold + held > capacity
    UNION ALL
    SELECT 'no count below zero', listing_id::text, format('%s sold and %s held', sold, held)
      FROM ${LIVE}.inventory WHERE sold < 0 OR held < 0
    UNION ALL
    SELECT 'sold equals confirmed bookings', i.listing_id::text,
        format('%s sold, %s booked', i.sold, coalesce(b.quantity, 0))
      FROM ${LIVE}.inventory i LEFT JOIN booked b USING (listing_id)
      WHERE i.sold <> coalesce(b.quantity, 0) AND i.listing_id NOT IN (SELECT listing_id FROM moving)
    UNION ALL
    SELECT 'refunded at most what was paid', booking_id::text, format('%s of %s pence', amount, paid)
      FROM ${LIVE}.refund WHERE amount > paid
    UNION ALL
    SELECT 'refunds reach their buyer', booking_id::text,
        format('the provider refused %s pence %s times', amount, attempt)
      FROM ${LIVE}.refund WHERE status = 'failed' AND attempt >= $2
    UNION ALL
    SELECT 'paid attempts are booked or refunded', attempt::text,
        format('%s pence since %s', amount, paid_at)
      FROM ${LIVE}.paid_attempt WHERE paid_at <= $1
    ORDER BY 1, 2`,
    [settled, MOST_REFUND_ATTEMPTS],
  );
  return rows;
};

/** Backdated changes, as in the demo, look settled while their purchase is still in progress. */
export const stillBroken = (now: readonly Violation[], before: readonly Violation[]): readonly Violation[] =>
  now.filter(({ rule, of }) => before.some((earlier) => earlier.rule === rule && earlier.of === of));
