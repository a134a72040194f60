/** Each booking keeps the refund policy of its time: 100% from 168 hours before the start, 80% from 24 hours, then nothing. */

export interface RefundStep {
  readonly hours: number;
  readonly percent: number;
}
/** Most hours first. */
export type RefundPolicy = readonly RefundStep[];

export const REFUND_POLICY: RefundPolicy = [
  { hours: 168, percent: 100 },
  { hours: 24, percent: 80 },
];

const HOUR = 3_600_000;

/** ISO instants. */
export const refundPercent = (policy: RefundPolicy, startsAt: string, at: string): number => {
  const notice = (Date.parse(startsAt) - Date.parse(at)) / HOUR;
  return policy.find((step) => notice >= step.hours)?.percent ?? 0;
};

/** Milliseconds after the start for which an event counts as on, also past midnight. */
export const NIGHT = 6 * HOUR;

/** Milliseconds before the start, first reminder first. */
export const REMINDERS = [168 * HOUR, 24 * HOUR] as const;

/** Milliseconds. */
export const HOLD_FOR = 15 * 60_000;
/** Listings for which an account may hold tickets at once. */
export const LIVE_HOLDS = 3;
/** So many unpaid holds of a listing within an hour lead to a pause. */
export const UNPAID_HOLDS = 3;
/** Milliseconds. */
export const UNPAID_HOLDS_PAUSE = 15 * 60_000;
/** Milliseconds for which tickets wait for the provider's answer after their hold has ended. */
export const HOLD_GRACE = 10 * 60_000;
/** Milliseconds after a purchase during which buying more needs a confirmation. */
export const JUST_BOUGHT_FOR = HOUR;
/** Then a person must act. */
export const MOST_REFUND_ATTEMPTS = 4;
export const MOST_TICKETS_A_BOOKING = 10;
export const SHORTEST_CANCELLATION_REASON = 10;
