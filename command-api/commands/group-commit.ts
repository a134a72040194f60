import type { Append, AppendResult, EventLog } from '#infra/event-log/event-log.ts';
import type { CommandMetrics } from './metrics.ts';

export interface GroupCommitOptions {
  readonly inFlight: number;
  /** Bytes of `data` and `meta` per call (EventStoreDB: 1 MB). */
  readonly mostBytes: number;
  readonly metrics: CommandMetrics;
}

interface Item {
  readonly append: Append;
  readonly bytes: number;
  settle(result: AppendResult): void;
  fail(error: unknown): void;
}

/** Appends that arrive during a call share the next one. */
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

  append(append: Append, bytes: number): Promise<AppendResult> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ append, bytes, settle, fail });
      this.#schedule();
    });
  }

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

  /** Waits until the answered callers have queued their next commands, so that a chain needs no extra call. */
  #scheduleNext(): void {
    setImmediate(() => setImmediate(() => this.#schedule()));
  }
}
