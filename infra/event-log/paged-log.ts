/** Reading streams, reading the whole log and following it live, all built on what each adapter does itself: reading one page. */
import {
  type Batch,
  type EventLog,
  type EventPlace,
  type Filter,
  LogUnavailable,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  START,
  type SubscribeOptions,
} from './event-log.ts';
import { type Asked, Tail } from './tail.ts';

/** Wakes everyone who waits for new events. */
export class Wakeups {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** How many wake-ups there have been. Read it before looking for events and hand it to `wait`: then no wake-up is lost. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const go of [...this.#waiting]) go();
  }

  /** Resolves at the first wake-up after `seen`, after `ms` milliseconds at the latest, or when `signal` aborts. */
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

/** Which part of the log a page covers. */
export interface PageOptions {
  readonly filter: Filter | undefined;
  /** Events, at the most. */
  readonly pageSize: number;
  /** Read no further than this position. */
  readonly until?: Position | undefined;
}

const PAGE_SIZE = 1_000;
const STREAM_PAGE_SIZE = 500;
/** How many streams `readEach` reads at once. */
const SIDE_BY_SIDE = 20;
/** How long to wait before asking a store again that could not be reached, in milliseconds. */
const RETRY_MS = 250;

/** An event log that is read page by page. Adapters say how one page is read, and wake subscriptions after appends. */
export abstract class PagedLog
  implements Pick<EventLog, 'readStream' | 'readEach' | 'readAll' | 'subscribe' | 'heard'>
{
  protected readonly wakeups = new Wakeups();
  /** Aborted by `close`; it ends all subscriptions. */
  protected readonly closing = new AbortController();
  /** How often a subscription looks for events without being woken, in milliseconds: the safety net. */
  protected abstract readonly pollMs: number;
  readonly #tail = new Tail({
    read: async (after, question) => {
      const page = await this.readNewPage(after, question);
      const last = page.events.at(-1);
      if (last) this.hear(last.position);
      return page;
    },
    wakeups: () => this.wakeups.count,
    closing: this.closing.signal,
  });
  #heard: Position = START;

  /** See `EventLog.heard`. */
  get heard(): Position {
    return this.#heard;
  }

  /** An event stands at this position: by an append's answer, by an announcement, or by a page. */
  protected hear(position: Position): void {
    if (position > this.#heard) this.#heard = position;
  }

  /** The page after a position. @throws LogUnavailable while the store can't be reached; BeyondTheEnd */
  protected abstract readPage(after: Position, options: PageOptions): Promise<Batch>;

  /** The same for those who follow the log: it may miss what is appended at this moment, and then wakes them for it. */
  protected readNewPage(after: Position, options: PageOptions): Promise<Batch> {
    return this.readPage(after, options);
  }

  /**
   * At most `size` events of one stream, from a revision (default: the first, or backwards the last); none for a stream
   * that does not exist. @throws LogUnavailable
   */
  protected abstract readStreamPage(
    stream: string,
    from: number | undefined,
    backwards: boolean,
    size: number,
  ): Promise<readonly RecordedEvent[]>;

  /** See `EventLog.readStream`. */
  async *readStream(
    stream: string,
    { from, backwards = false, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
  ): AsyncGenerator<RecordedEvent, void> {
    let next = from;
    let left = limit;
    while (left > 0) {
      const size = Math.min(left, STREAM_PAGE_SIZE);
      const page = await this.readStreamPage(stream, next, backwards, size);
      yield* page;
      const last = page.at(-1);
      if (page.length < size || !last || (backwards && last.revision === 0)) return;
      next = last.revision + (backwards ? -1 : 1);
      left -= page.length;
    }
  }

  /** See `EventLog.readEach`. A store that can answer with one query does so instead. */
  async readEach(places: readonly EventPlace[]): Promise<readonly RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let from = 0; from < places.length; from += SIDE_BY_SIDE) {
      const some = places.slice(from, from + SIDE_BY_SIDE);
      const pages = await Promise.all(
        some.map(({ stream, revision }) => this.readStreamPage(stream, revision, false, 1)),
      );
      // Where a stream has no such revision, some stores answer with the next one.
      found.push(
        ...pages.flatMap((page, index) => page.filter(({ revision }) => revision === some[index]?.revision)),
      );
    }
    return found;
  }

  /** See `EventLog.readAll`. */
  async *readAll(
    after: Position,
    { filter, until, pageSize = PAGE_SIZE }: ReadAllOptions = {},
  ): AsyncGenerator<Batch, void> {
    let position = after;
    let next = this.readPage(after, { filter, pageSize, until });
    for (;;) {
      const batch = await next;
      if (batch.position === position) return;
      position = batch.position;
      // The next page is on its way while this one is worked on.
      next = this.readPage(position, { filter, pageSize, until });
      // Told when it is asked for, if ever.
      next.catch(() => undefined);
      yield batch;
    }
  }

  /** See `EventLog.subscribe`. While the store can't be reached it waits and tries again. */
  async *subscribe(
    after: Position,
    { filter, signal: asked, pageSize = PAGE_SIZE }: SubscribeOptions = {},
  ): AsyncGenerator<Batch, void> {
    const closing = this.closing.signal;
    const signal = asked ? AbortSignal.any([asked, closing]) : closing;
    let position = after;
    let announced = false;
    const ask = () => {
      const page = this.#tail.page(position, { filter, pageSize });
      page.catch(() => undefined /* told when it is waited for */);
      return page;
    };
    /** The page after one that was not the last is on its way while that one is worked on. */
    let ahead: ReturnType<typeof ask> | undefined;
    while (!signal.aborted) {
      const { count } = this.wakeups;
      let page: Asked;
      try {
        page = await (ahead ?? ask());
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof LogUnavailable)) throw error;
        ahead = undefined;
        await this.wakeups.wait(count, RETRY_MS, signal);
        continue;
      }
      ahead = undefined;
      const { seen, ...batch } = page;
      if (signal.aborted) return;
      if (batch.position !== position || (batch.live && !announced)) {
        announced ||= batch.live;
        position = batch.position;
        if (!batch.live) ahead = ask();
        yield batch;
      }
      if (batch.live) await this.wakeups.wait(seen, this.pollMs, signal);
    }
  }
}
