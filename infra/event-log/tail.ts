import { setTimeout as pause } from 'node:timers/promises';
import { passes } from './batch.ts';
import type { Batch, Filter, Position, RecordedEvent } from './event-log.ts';

/** What a subscription asks for. */
interface Question {
  readonly filter: Filter | undefined;
  readonly pageSize: number;
}

export interface TailOptions {
  /** Asks the store for the page after a position. @throws LogUnavailable, BeyondTheEnd */
  readonly read: (after: Position, question: Question) => Promise<Batch>;
  /** How many wake-ups there have been. */
  readonly wakeups: () => number;
  /** Aborted when the log is closed: the store is asked no more. */
  readonly closing: AbortSignal;
}

/** A page, and how many wake-ups there had been when the store was asked for it: what was appended later woke after these. */
export interface Asked extends Batch {
  readonly seen: number;
}

/** Events of a page that is asked for at the end of the log, and how many are kept besides the newest page: half a second of a hot sale. */
const PAGE = 1_000;
const KEPT = 4_000;
/**
 * The shortest time from one question at the end of the log to the next, in milliseconds, and the same after a last page of so many
 * events: whatever follows the log costs a hot sale the less, the more of it comes at once.
 */
const PACE = 10;
const RUSH = { events: 50, pace: 50 };

/**
 * The newest events of the log, in memory: at the log's end a process asks the store once for all of its subscriptions, and whoever
 * is a little behind asks nobody. Whoever is further behind reads the store itself.
 */
export class Tail {
  readonly #options: TailOptions;
  /** All events after `#from` up to `#to`. */
  #events: RecordedEvent[] = [];
  #from: Position | undefined;
  #to: Position = '';
  /** Whether `#to` was the end of the log after so many wake-ups. */
  #live = false;
  #seen = 0;
  #reading: Promise<void> | undefined;
  #readAt = 0;
  #pace = PACE;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** The page after a position. @throws LogUnavailable, BeyondTheEnd */
  async page(after: Position, question: Question): Promise<Asked> {
    if (this.#from !== undefined && after >= this.#to) {
      this.#reading ??= this.#readOn();
      await this.#reading;
    }
    if (this.#from !== undefined && this.#from <= after && after <= this.#to)
      return this.#pageAfter(after, question);
    const seen = this.#options.wakeups();
    const page = await this.#options.read(after, question);
    const further = this.#from === undefined || page.position > this.#to;
    if (page.live && further && !this.#reading) this.#begin(page.position);
    return { ...page, seen };
  }

  #begin(at: Position | undefined): void {
    this.#events = [];
    this.#from = at;
    this.#to = at ?? '';
  }

  async #readOn(): Promise<void> {
    try {
      const rest = this.#readAt + this.#pace - performance.now();
      if (rest > 0) await pause(rest, undefined, { signal: this.#options.closing });
      this.#readAt = performance.now();
      const seen = this.#options.wakeups();
      const { events, position, live } = await this.#options.read(this.#to, {
        filter: undefined,
        pageSize: PAGE,
      });
      // Dropped before the new page comes in: that one is whole for those who wait for it.
      const dropped = this.#events.splice(0, this.#events.length - KEPT);
      this.#from = dropped.at(-1)?.position ?? this.#from;
      this.#events.push(...events);
      this.#to = position;
      this.#live = live;
      this.#seen = seen;
      this.#pace = live && events.length >= RUSH.events ? RUSH.pace : PACE;
    } catch (error) {
      // A log that was put back to an older state has other events.
      this.#begin(undefined);
      throw error;
    } finally {
      this.#reading = undefined;
    }
  }

  #pageAfter(after: Position, { filter, pageSize }: Question): Asked {
    const events: RecordedEvent[] = [];
    const first = this.#events.findLastIndex(({ position }) => position <= after) + 1;
    for (const event of this.#events.slice(first)) {
      if (events.length === pageSize) {
        const position = events.at(-1)?.position ?? after;
        return { events, position, live: false, seen: this.#seen };
      }
      if (!filter || passes(filter, event)) events.push(event);
    }
    return { events, position: this.#to, live: this.#live, seen: this.#seen };
  }
}
