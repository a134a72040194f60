import { setTimeout as pause } from 'node:timers/promises';
import { passes } from './batch.ts';
import type { Batch, Filter, Position, RecordedEvent } from './event-log.ts';

interface Question {
  readonly filter: Filter | undefined;
  readonly pageSize: number;
}

export interface TailOptions {
  readonly read: (after: Position, question: Question) => Promise<Batch>;
  readonly wakeups: () => number;
  readonly closing: AbortSignal;
}

/** Take the wake-up count before the query, so that later appends wake again. */
export interface Asked extends Batch {
  readonly seen: number;
}

const PAGE = 1_000;
const KEPT = 4_000;
/** Milliseconds between reads, and after a burst: larger batches cost a hot sale less. */
const PACE = 10;
const RUSH = { events: 50, pace: 50 };

/** One read serves all subscriptions at the log's end; those further behind read the store. */
export class Tail {
  readonly #options: TailOptions;
  #events: RecordedEvent[] = [];
  #from: Position | undefined;
  #to: Position = '';
  #live = false;
  #seen = 0;
  #reading: Promise<void> | undefined;
  #readAt = 0;
  #pace = PACE;

  constructor(options: TailOptions) {
    this.#options = options;
  }

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
      // Trim before adding the new page, which its waiters need whole.
      const dropped = this.#events.splice(0, this.#events.length - KEPT);
      this.#from = dropped.at(-1)?.position ?? this.#from;
      this.#events.push(...events);
      this.#to = position;
      this.#live = live;
      this.#seen = seen;
      this.#pace = live && events.length >= RUSH.events ? RUSH.pace : PACE;
    } catch (error) {
      // The log may have been restored to other events.
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
