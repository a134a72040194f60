import type { HoldsEvent } from './events.ts';

/** A hold that was counted. It may have ended before `until` (an ISO instant). */
export interface CountedHold {
  readonly attempt: string;
  readonly until: string;
}

/** The holds of an account, by listing: at each it has one checkout, and so one hold at most. */
export type HoldsState = ReadonlyMap<number, CountedHold>;

export const initial: HoldsState = new Map();

export const evolve = (state: HoldsState, { data }: HoldsEvent, at: string): HoldsState => {
  const { listingId, attempt, until, over } = data;
  const kept = [...state].filter(
    ([id, hold]) => !over.includes(id) && Date.parse(hold.until) > Date.parse(at),
  );
  return new Map(kept).set(listingId, { attempt, until });
};
