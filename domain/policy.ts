/**
 * The refund policy is data, snapshotted in each booking when it is made: 168 hours or more before the
 * start gives 100%, 24 up to 168 gives 80% (exactly 24 hours too), less gives none.
 */

/** A step: at least `hours` before the start gives `percent` of what was paid. Steps are sorted, longest notice first. */
export interface RefundStep {
  readonly hours: number;
  readonly percent: number;
}
/** Longest notice first; with less notice than the last step's nothing is given back. */
export type RefundPolicy = readonly RefundStep[];

/** The policy that bookings are made under today. */
export const REFUND_POLICY: RefundPolicy = [
  { hours: 168, percent: 100 },
  { hours: 24, percent: 80 },
];

const HOUR = 3_600_000;

/** Percent of what was paid that a cancellation gives back. Both times are ISO instants. */
export const refundPercent = (policy: RefundPolicy, startsAt: string, at: string): number => {
  const notice = (Date.parse(startsAt) - Date.parse(at)) / HOUR;
  return policy.find((step) => notice >= step.hours)?.percent ?? 0;
};

/** How long a hold lasts, in milliseconds. */
export const HOLD_FOR = 15 * 60_000;
/** How long past its hold an attempt's tickets wait for the provider's word before they are released anyway. */
export const HOLD_GRACE = 10 * 60_000;
/** After so many attempts that the provider refused a person has to look at a refund. */
export const MOST_REFUND_ATTEMPTS = 4;
/** A purchase asks for 1 to so many tickets. */
export const MOST_TICKETS_A_BOOKING = 10;
/** Characters that a customer has to give as the reason of a cancellation. */
export const SHORTEST_CANCELLATION_REASON = 10;
