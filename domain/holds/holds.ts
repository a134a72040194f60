import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { HoldsEvent } from './events.ts';
import { evolve, type HoldsState, initial } from './state.ts';

/** ISO instants. */
export interface HoldsCommand {
  readonly type: 'CountHold';
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly until: string;
  readonly at: string;
  readonly most: number;
  readonly over: readonly number[];
}

/** Milliseconds. A hold extended by less is not counted again. */
const SAME = 60_000;

/**
 * Ends of holds are not recorded, to save an event per purchase. After TOO_MANY_HOLDS `{ listingIds }` the
 * caller reads those checkouts and retries with the ended ones in `over`.
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

export const holds: Aggregate<HoldsState, HoldsCommand, HoldsEvent> = {
  name: 'holds',
  initial,
  evolve,
  decide,
};
