import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { HoldsEvent } from './events.ts';
import { evolve, type HoldsState, initial } from './state.ts';

/** Counts a hold before its tickets are held. Times are ISO instants. */
export interface HoldsCommand {
  readonly type: 'CountHold';
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly until: string;
  readonly at: string;
  /** How many an account may have at once. */
  readonly most: number;
  /** Listings whose checkouts the caller has read, and found that nothing is held there any more. */
  readonly over: readonly number[];
}

/** A hold that goes on within a minute of its counted end is not counted anew, in milliseconds. */
const SAME = 60_000;

/**
 * How many holds an account has at once. A hold ends in its listing's inventory, and is not counted off here: that would be one more event
 * for each purchase. Whoever is refused reads the checkouts that count, and asks again with those that are `over`.
 *
 * Refuses with TOO_MANY_HOLDS `{ listingIds }`, the listings where tickets are held.
 */
const decide = (
  state: HoldsState,
  { userId, listingId, attempt, until, over, at, most }: HoldsCommand,
): Decision<HoldsEvent> => {
  const now = Date.parse(at);
  const own = state.get(listingId);
  const isLive = own !== undefined && Date.parse(own.until) > now;
  if (isLive && Date.parse(own.until) + SAME > Date.parse(until)) return [];
  const others = [...state].filter(
    ([id, hold]) => id !== listingId && !over.includes(id) && Date.parse(hold.until) > now,
  );
  if (others.length >= most) return reject('TOO_MANY_HOLDS', { listingIds: others.map(([id]) => id) });
  return [{ type: 'HoldCounted', data: { userId, listingId, attempt, until, over } }];
};

/** The holds of an account. Its stream is `holds-{userId}`. */
export const holds: Aggregate<HoldsState, HoldsCommand, HoldsEvent> = {
  name: 'holds',
  initial,
  evolve,
  decide,
};
