/**
 * Caches listings, promotions, places and settings, so the log is read once a second per listing, not per
 * buyer; another process's price change takes effect up to a second later. A purchase may be accepted on a
 * state up to `MOST_STALE` old, but never refused on one: read again first.
 */

import type { CommandHandler } from '#command-api/commands/command-handler.ts';
import type { Aggregate, DomainEvent } from '#domain/kernel/decider.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { keepsNewest } from '#infra/lib/lru.ts';

/** Milliseconds. */
export const MOST_STALE = 1_000;
const MOST_KEPT = 5_000;

export interface Readings {
  /** At most `MOST_STALE` old; current if `fresh`. */
  read<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    fresh?: boolean,
  ): Promise<State>;
  /** Call it after an erasure: even an expired entry may still name the person. */
  forget(): void;
}

interface Kept {
  readonly state: Promise<unknown>;
  readonly at: number;
}

export const createReadings = ({
  handler,
  clock,
}: {
  readonly handler: CommandHandler;
  readonly clock: Clock;
}): Readings => {
  const kept = keepsNewest<Kept>(MOST_KEPT);

  const keep = (key: string, state: Promise<unknown>): void => {
    kept.set(key, { state, at: clock().getTime() });
    // Do not cache a failed read; its caller gets the error.
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
      // The key includes the aggregate's name, so the type is right. A negative age means the clock was set
      // back: treat it as expired.
      const age = clock().getTime() - (found?.at ?? 0);
      if (!fresh && found && age >= 0 && age < MOST_STALE) return found.state as Promise<State>;
      const reading = handler.state(aggregate, id).then(({ state }) => state);
      keep(key, reading);
      return reading;
    },
    forget: () => kept.clear(),
  };
};
