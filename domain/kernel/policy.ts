/**
 * The refund policy, and other limits of the product. The policy is data, and each booking keeps a copy of it from when it was made:
 * 168 hours or more before the start give 100%, 24 hours or more 80%, less gives nothing.
 */

/** A step of the policy: at least `hours` before the start, `percent` of what was paid is paid back. */
export interface RefundStep {
  readonly hours: number;
  readonly percent: number;
}
/** The steps, most hours first. With fewer hours than the last step nothing is paid back. */
export type RefundPolicy = readonly RefundStep[];

/** The policy of new bookings. */
export const REFUND_POLICY: RefundPolicy = [
  { hours: 168, percent: 100 },
  { hours: 24, percent: 80 },
];

const HOUR = 3_600_000;

/** How many percent of what was paid a cancellation pays back. Both times are ISO instants. */
export const refundPercent = (policy: RefundPolicy, startsAt: string, at: string): number => {
  const notice = (Date.parse(startsAt) - Date.parse(at)) / HOUR;
  return policy.find((step) => notice >= step.hours)?.percent ?? 0;
};

/** For how long after its start an event counts as on, although its day ends before, in milliseconds: a night goes on after midnight. */
export const NIGHT = 6 * HOUR;

/** How long before the start people are reminded of their booking, in milliseconds, the first reminder first. */
export const REMINDERS = [168 * HOUR, 24 * HOUR] as const;

/** How long a hold lasts, in milliseconds. */
export const HOLD_FOR = 15 * 60_000;
/** Of how many listings an account may hold tickets at once. */
export const LIVE_HOLDS = 3;
/** After how many holds of a listing within an hour, none of them bought, there is a pause. */
export const UNPAID_HOLDS = 3;
/** How long that pause is, in milliseconds. */
export const UNPAID_HOLDS_PAUSE = 15 * 60_000;
/** For how long after its hold an attempt's tickets wait for the provider's answer before they are released anyway, in milliseconds. */
export const HOLD_GRACE = 10 * 60_000;
/** For how long after a purchase its buyer is told of it before they buy more of the same, in milliseconds. */
export const JUST_BOUGHT_FOR = HOUR;
/** How often a refund is tried that the provider refuses. After that a person has to look at it. */
export const MOST_REFUND_ATTEMPTS = 4;
/** The most tickets in a booking. */
export const MOST_TICKETS_A_BOOKING = 10;
/** The fewest characters of a customer's reason for a cancellation. */
export const SHORTEST_CANCELLATION_REASON = 10;
