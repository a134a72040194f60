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

export class Wakeups {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** Read it before looking for events and pass it to `wait`, so that no wake-up is lost. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const go of [...this.#waiting]) go();
  }

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

export interface PageOptions {
  readonly filter: Filter | undefined;
  readonly pageSize: number;
  readonly until?: Position | undefined;
}

const PAGE_SIZE = 1_000;
const STREAM_PAGE_SIZE = 500;
const SIDE_BY_SIDE = 20;
const RETRY_MS = 250;

export abstract class PagedLog
  implements Pick<EventLog, 'readStream' | 'readEach' | 'readAll' | 'subscribe' | 'heard'>
{
  protected readonly wakeups = new Wakeups();
  protected readonly closing = new AbortController();
  /** Milliseconds, in case a wake-up is lost. */
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

  get heard(): Position {
    return this.#heard;
  }

  protected hear(position: Position): void {
    if (position > this.#heard) this.#heard = position;
  }

  protected abstract readPage(after: Position, options: PageOptions): Promise<Batch>;

  /** May miss events being appended concurrently, but then wakes the subscription. */
  protected readNewPage(after: Position, options: PageOptions): Promise<Batch> {
    return this.readPage(after, options);
  }

  protected abstract readStreamPage(
    stream: string,
    from: number | undefined,
    backwards: boolean,
    size: number,
  ): Promise<readonly RecordedEvent[]>;

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

  async readEach(places: readonly EventPlace[]): Promise<readonly RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let from = 0; from < places.length; from += SIDE_BY_SIDE) {
      const some = places.slice(from, from + SIDE_BY_SIDE);
      const pages = await Promise.all(
        some.map(({ stream, revision }) => this.readStreamPage(stream, revision, false, 1)),
      );
      // For a missing revision some stores return the next one.
      found.push(
        ...pages.flatMap((page, index) => page.filter(({ revision }) => revision === some[index]?.revision)),
      );
    }
    return found;
  }

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
      next = this.readPage(position, { filter, pageSize, until });
      next.catch(() => undefined);
      yield batch;
    }
  }

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
      page.catch(() => undefined /* reported when awaited */);
      return page;
    };
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
