import type { Append, AppendResult, EventLog } from '#infra/event-log/event-log.ts';
import type { LaneMetrics } from './metrics.ts';

export interface GroupCommitOptions {
  /** How many append calls may be under way at once. */
  readonly inFlight: number;
  /** The most bytes of `data` and `meta` in one call (EventStoreDB takes 1 MB). A larger item gets a call of its own. */
  readonly mostBytes: number;
  readonly metrics: LaneMetrics;
}

interface Item {
  readonly append: Append;
  readonly bytes: number;
  settle(result: AppendResult): void;
  fail(error: unknown): void;
}

/**
 * Joins the appends of many streams into few calls: while one call is under way, others wait and share the next one, with what the answers
 * of the first lead to. They go in the order in which they came, and a call has each stream at most once.
 */
export class GroupCommit {
  readonly #log: Pick<EventLog, 'append'>;
  readonly #options: GroupCommitOptions;
  #waiting: Item[] = [];
  #underWay = 0;
  #flushing = false;

  constructor(log: Pick<EventLog, 'append'>, options: GroupCommitOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Appends one item. @throws what the log's `append` throws */
  append(append: Append, bytes: number): Promise<AppendResult> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ append, bytes, settle, fail });
      this.#schedule();
    });
  }

  /** Calls in a microtask, so that all streams that are decided in this turn share the call. */
  #schedule(): void {
    if (this.#flushing || this.#underWay >= this.#options.inFlight) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      while (this.#waiting.length > 0 && this.#underWay < this.#options.inFlight) this.#call(this.#take());
    });
  }

  #take(): Item[] {
    const taken: Item[] = [];
    const left: Item[] = [];
    const streams = new Set<string>();
    let bytes = 0;
    for (const item of this.#waiting) {
      const fits = taken.length === 0 || bytes + item.bytes <= this.#options.mostBytes;
      if (fits && !streams.has(item.append.stream)) {
        taken.push(item);
        streams.add(item.append.stream);
        bytes += item.bytes;
      } else left.push(item);
    }
    this.#waiting = left;
    return taken;
  }

  async #call(items: readonly Item[]): Promise<void> {
    this.#underWay++;
    const started = performance.now();
    try {
      const results = await this.#log.append(items.map((item) => item.append));
      const events = items.reduce((sum, item) => sum + item.append.events.length, 0);
      this.#options.metrics.append(performance.now() - started, events);
      for (const [i, item] of items.entries()) {
        const result = results[i];
        if (result) item.settle(result);
        else item.fail(new Error('The log answered with fewer results than items'));
      }
    } catch (error) {
      for (const item of items) item.fail(error);
    } finally {
      this.#underWay--;
      if (this.#waiting.length > 0) this.#scheduleNext();
    }
  }

  /**
   * Calls once those who were just answered have gone on: what they ask the lane for next is decided in its next `setImmediate`, and
   * shares the call. If it went at once, each command of a chain would wait for the call before its own as well.
   */
  #scheduleNext(): void {
    setImmediate(() => setImmediate(() => this.#schedule()));
  }
}
