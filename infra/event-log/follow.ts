/** Turns reading by page into a reading of all, or into a live subscription: read to the end, wait to be woken, read on. */
import { type Batch, LogUnavailable, type Position } from './event-log.ts';

/** Wakes whoever waits for new events. A wake-up between looking and waiting isn't lost: `count` tells. */
export class Wakeups {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** How many wake-ups there were. Take it before looking, and hand it to `wait`. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const go of [...this.#waiting]) go();
  }

  /** Resolves at the first wake-up after `seen`, at the latest after `ms`, or when `signal` aborts. */
  wait(seen: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#count !== seen || signal?.aborted) return Promise.resolve();
    return new Promise((done) => {
      const go = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', go);
        this.#waiting.delete(go);
        done();
      };
      const timer = setTimeout(go, ms);
      signal?.addEventListener('abort', go);
      this.#waiting.add(go);
    });
  }
}

type ReadPage = (after: Position) => Promise<Batch>;

/** The pages after a position, up to the end. */
export async function* pages(readPage: ReadPage, after: Position): AsyncGenerator<Batch, void> {
  let position = after;
  for (;;) {
    const batch = await readPage(position);
    if (batch.position === position) return;
    position = batch.position;
    yield batch;
  }
}

export interface FollowOptions {
  /** The next page after a position. Throws LogUnavailable while the store is away. */
  readonly readPage: ReadPage;
  readonly after: Position;
  readonly wakeups: Wakeups;
  /** How often to look without being woken: the safety net. */
  readonly pollMs: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** The log is being closed, which ends it too. */
  readonly closing: AbortSignal;
}

const RETRY_MS = 250;

/** The pages after a position, then live, until it is ended. A store that is away is waited for. */
export async function* follow({
  readPage,
  after,
  wakeups,
  pollMs,
  signal: asked,
  closing,
}: FollowOptions): AsyncGenerator<Batch, void> {
  const signal = asked ? AbortSignal.any([asked, closing]) : closing;
  let position = after;
  let announced = false;
  while (!signal.aborted) {
    const seen = wakeups.count;
    let batch: Batch;
    try {
      batch = await readPage(position);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await wakeups.wait(seen, RETRY_MS, signal);
      continue;
    }
    if (signal.aborted) return;
    if (batch.position !== position || (batch.live && !announced)) {
      announced ||= batch.live;
      position = batch.position;
      yield batch;
    }
    if (batch.live) await wakeups.wait(seen, pollMs, signal);
  }
}
