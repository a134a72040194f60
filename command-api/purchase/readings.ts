/**
 * Reads streams that a purchase does not change: listings, promotions, places, settings.
 *
 * A purchase may be accepted on a state that is up to `MOST_STALE` old. So the log is read once a second for a listing, rather than
 * once for each buyer, and a price that another process changes counts a second later. A purchase is never refused on an old state:
 * whoever would refuse reads again first.
 */

import { LRUCache } from 'lru-cache';
import type { Lane } from '#command-api/lane/lane.ts';
import type { Aggregate, DomainEvent } from '#domain/kernel/decider.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import type { Clock } from '#infra/lib/clock.ts';

/** How old a state may be, in milliseconds. */
export const MOST_STALE = 1_000;
const MOST_KEPT = 5_000;

/** Reads states that may be a moment old. */
export interface Readings {
  /** A state that is at most `MOST_STALE` old, or as of now if `fresh`. */
  read<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    fresh?: boolean,
  ): Promise<State>;
  /** Keeps nothing of what was read. An entry that is too old to be told may still name somebody who was erased since. */
  forget(): void;
}

interface Kept {
  readonly state: Promise<unknown>;
  readonly at: number;
}

/** Makes the readings of a process. */
export const createReadings = ({ lane, clock }: { readonly lane: Lane; readonly clock: Clock }): Readings => {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });

  const keep = (key: string, state: Promise<unknown>): void => {
    kept.set(key, { state, at: clock().getTime() });
    // A reading that failed is not kept. Its caller gets the error.
    state.catch(() => {
      if (kept.get(key)?.state === state) kept.delete(key);
    });
  };

  return {
    read: <State, Command, Event extends DomainEvent>(
      aggregate: Aggregate<State, Command, Event>,
      id: string | number,
      fresh = false,
    ): Promise<State> => {
      const key = streamOf(aggregate, id);
      const found = kept.get(key);
      // The key has the aggregate's name, so the kept state is of this aggregate.
      // Below 0 the clock was put back since, and nobody knows how old it is.
      const age = clock().getTime() - (found?.at ?? 0);
      if (!fresh && found && age >= 0 && age < MOST_STALE) return found.state as Promise<State>;
      const reading = lane.state(aggregate, id).then(({ state }) => state);
      keep(key, reading);
      return reading;
    },
    forget: () => kept.clear(),
  };
};
