import type { HoldsEvent } from './events.ts';

/** May have ended before `until` (an ISO instant). */
export interface CountedHold {
  readonly attempt: string;
  readonly until: string;
}

/** By listing: an account has one checkout, so one hold, for each. */
export type HoldsState = ReadonlyMap<number, CountedHold>;

export const initial: HoldsState = new Map();

export const evolve = (state: HoldsState, { data }: HoldsEvent, at: string): HoldsState => {
  const { listingId, attempt, until, over } = data;
  const kept = [...state].filter(
    ([id, hold]) => !over.includes(id) && Date.parse(hold.until) > Date.parse(at),
  );
  return new Map(kept).set(listingId, { attempt, until });
};
