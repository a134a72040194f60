/**
 * What a purchase asks of streams that it doesn't change: listings, promotions, places, settings.
 *
 * An acceptance may rest on a reading that is up to `MOST_STALE` old: a hot sale then asks the log once a second a
 * listing rather than once a buyer, and a change of price made by another process counts for everybody a second later, as if
 * those buyers had come a second earlier. A refusal never rests on it: whoever is about to refuse reads fresh first.
 * What was accepted stands in the attempt's own events.
 */

import type { Lane } from '#command-api/lane/lane.ts';
import type { Aggregate, DomainEvent } from '#domain/decider.ts';
import { streamOf } from '#domain/decider.ts';
import type { Clock } from '#infra/clock.ts';

/** Milliseconds. */
export const MOST_STALE = 1_000;
const MOST_KEPT = 5_000;

/** Reads streams for purchases, a moment late where that does no harm. */
export interface Readings {
  /** A state at most `MOST_STALE` old; with `fresh`, read since the call. */
  read<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    fresh?: boolean,
  ): Promise<State>;
}

interface Kept {
  readonly state: Promise<unknown>;
  readonly at: number;
}

/** Readings through a lane, one a process. */
export const createReadings = ({ lane, clock }: { readonly lane: Lane; readonly clock: Clock }): Readings => {
  const kept = new Map<string, Kept>();

  const keep = (key: string, state: Promise<unknown>): void => {
    kept.delete(key);
    kept.set(key, { state, at: clock().getTime() });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    // A reading that failed is not kept; whoever asked for it hears of it.
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
      // The key names the aggregate, so what is kept under it is this aggregate's state.
      if (!fresh && found && clock().getTime() - found.at < MOST_STALE) return found.state as Promise<State>;
      const reading = lane.state(aggregate, id).then(({ state }) => state);
      keep(key, reading);
      return reading;
    },
  };
};
