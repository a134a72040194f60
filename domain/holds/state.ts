import type { HoldsEvent } from './events.ts';

/** `until` is an ISO instant; the hold may have ended before. */
export interface CountedHold {
  readonly attempt: string;
  readonly until: string;
}

export type HoldsState = ReadonlyMap<number, CountedHold>;

export const initial: HoldsState = new Map();

export const evolve = (state: HoldsState, { data }: HoldsEvent, at: string): HoldsState => {
  const { listingId, attempt, until, over } = data;
  const kept = [...state].filter(
    ([id, hold]) => !over.includes(id) && Date.parse(hold.until) > Date.parse(at),
  );
  return new Map(kept).set(listingId, { attempt, until });
};
