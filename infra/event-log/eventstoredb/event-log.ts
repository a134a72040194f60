/** EventStoreDB 22.10 or later, ordered by `$all`. See docs/decisions/011-eventstoredb.md. */
import { randomUUID } from 'node:crypto';
import { checkBatch, passes } from '#infra/event-log/batch.ts';
import {
  type Append,
  type AppendResult,
  type Batch,
  type EventLog,
  EventTooLarge,
  LogUnavailable,
  OutcomeUnknown,
  type Position,
  type RecordedEvent,
  START,
  type SubscribeOptions,
} from '#infra/event-log/event-log.ts';
import { Newest } from '#infra/event-log/newest.ts';
import { PagedLog, type PageOptions, Wakeups } from '#infra/event-log/paged-log.ts';
import { Turns } from '#infra/lib/turns.ts';
import { type Connection, NotLeader } from './connection.ts';
import { Leader } from './leader.ts';
import {
  allRequest,
  IDENTITY,
  isOurs,
  nameIn,
  naming,
  type Outgoing,
  type Stored,
  type StreamPart,
  streamRequest,
  toOutgoing,
  toRecorded,
  toStored,
} from './protocol.ts';

export { aheadOfStore } from './clock.ts';

export interface EventStoreDbLogOptions {
  readonly url: string;
  readonly pollMs?: number;
  readonly timeoutMs?: number;
  readonly now?: () => Date;
  /** For copying a log: keeps events in call order; after a lost connection every further call fails. */
  readonly inOrder?: boolean;
  /** TESTS ONLY: breaks every guarantee that deciders rely on. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/** Bytes; the store's default limit. */
const LARGEST_APPEND = 1024 * 1024;
const RECONNECT_MS = 250;
const PATIENCE = 2_000;
/** The store allows a hundred streams per connection; all appends share one. */
const APPENDS = 256;
const READS = 64;
const LAST = 8;
const MOST_LAST = 1_000;
/** Milliseconds: first and longest. */
const LAG = 2;
const MOST_LAG = 50;

const pageOf = (
  found: readonly Stored[],
  after: Position,
  { filter, pageSize, until }: PageOptions,
): Batch => {
  const events: RecordedEvent[] = [];
  let position = after;
  let looked = 0;
  for (const stored of found) {
    const place = stored.position ?? position;
    if (place <= after || (until !== undefined && place > until)) continue;
    looked += 1;
    position = place;
    if (isOurs(stored) && (!filter || passes(filter, stored))) events.push(toRecorded(stored, place));
  }
  return { events, position, live: looked < pageSize };
};

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export class EventStoreDbLog extends PagedLog implements EventLog {
  readonly #options: EventStoreDbLogOptions;
  readonly #timeoutMs: number;
  readonly #leader: Leader;
  readonly #appends = new Turns(APPENDS);
  readonly #reads = new Turns(READS);
  protected readonly pollMs: number;
  readonly #pushed = new Newest<Stored>();
  #id = '';
  #watching: Promise<void> | undefined;

  private constructor(options: EventStoreDbLogOptions) {
    super();
    this.#options = options;
    this.pollMs = options.pollMs ?? 5_000;
    this.#timeoutMs = options.timeoutMs ?? 12_000;
    this.#leader = new Leader(options.url, this.#timeoutMs, options.inOrder ?? false);
  }

  static async open(options: EventStoreDbLogOptions): Promise<EventStoreDbLog> {
    const log = new EventStoreDbLog(options);
    const deadline = performance.now() + Math.min(PATIENCE, log.#timeoutMs);
    for (;;) {
      try {
        log.#id = await log.#identify();
        return log;
      } catch (error) {
        const passes = error instanceof LogUnavailable || error instanceof OutcomeUnknown;
        if (passes && performance.now() < deadline) continue;
        await log.close();
        throw passes ? new LogUnavailable('the store of the log is away', { cause: error }) : error;
      }
    }
  }

  get id(): string {
    return this.#id;
  }

  async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    checkBatch(batch);
    const now = (this.#options.now?.() ?? new Date()).toISOString();
    const items = batch.map((item) => ({ item, sent: item.events.map((event) => toOutgoing(event, now)) }));
    for (const { item, sent } of items) {
      const bytes = sent.reduce((sum, event) => sum + event.bytes, 0);
      if (bytes > LARGEST_APPEND) throw new EventTooLarge(`${bytes} bytes at once for ${item.stream}`);
    }
    const connection = await this.#leader.connection();
    let failed: unknown;
    const outcomes = await Promise.allSettled(
      items.map(({ item, sent }) =>
        this.#appends.take(async () => {
          if (failed) throw failed;
          return this.#appendOne(connection, item, sent).catch((error: unknown) => {
            failed ??= error;
            throw error;
          });
        }),
      ),
    );
    const results = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    if (results.length === batch.length) return results;
    const undone = outcomes.every((it) => it.status === 'rejected' && it.reason instanceof LogUnavailable);
    if (undone) throw new LogUnavailable('the store takes no appends', { cause: failed });
    throw new OutcomeUnknown('the reply to an append was lost', { cause: failed });
  }

  override subscribe(after: Position, options?: SubscribeOptions): AsyncGenerator<Batch, void> {
    this.#watching ??= this.#watch();
    return super.subscribe(after, options);
  }

  async head(): Promise<Position> {
    let from: Position | undefined;
    for (let count = LAST; ; count = Math.min(MOST_LAST, 4 * count)) {
      const found = await this.#read(allRequest(from, count, true));
      const last = found.find(isOurs);
      if (last) return last.position ?? START;
      if (found.length < count) return START;
      from = found.at(-1)?.position;
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.wakeups.wake();
    this.#leader.close();
    await this.#watching;
  }

  async #appendOne(
    connection: Connection,
    { stream, expected }: Append,
    sent: readonly Outgoing[],
  ): Promise<AppendResult> {
    const asked = this.#options.unsafelySkipRevisionCheck ? 'any' : expected;
    const verdict = await connection.append(stream, asked, sent);
    if (!verdict.ok) {
      const from = typeof expected === 'number' ? expected + 1 : 0;
      return { ok: false, tail: await this.#tail(stream, from, verdict.current) };
    }
    const { revision } = verdict;
    // For several events the store may return the first's position: read the last's.
    const told = sent.length === 1 ? verdict.position : undefined;
    if (told) {
      this.hear(told);
      return { ok: true, revision, position: told };
    }
    const read = async () => (await this.readStreamPage(stream, revision, false, 1))[0]?.position;
    const position = await read()
      .then((found) => found ?? this.head())
      .catch((cause: unknown) => {
        throw new OutcomeUnknown('where an append stands could not be read', { cause });
      });
    this.hear(position);
    return { ok: true, revision, position };
  }

  /**
   * The store refuses by what is written, but reads see it only milliseconds later.
   * @throws OutcomeUnknown if the events don't appear in time
   */
  async #tail(stream: string, from: number, current: number | undefined): Promise<RecordedEvent[]> {
    if (current !== undefined && current < from) return [];
    const deadline = performance.now() + this.#timeoutMs;
    try {
      for (let wait = LAG; ; wait = Math.min(MOST_LAG, 2 * wait)) {
        const tail = await Array.fromAsync(this.readStream(stream, { from }));
        if (current === undefined || (tail.at(-1)?.revision ?? -1) >= current) return tail;
        if (performance.now() > deadline) throw new LogUnavailable('what a conflict met can not be read yet');
        await pause(wait);
      }
    } catch (cause) {
      if (!(cause instanceof LogUnavailable)) throw cause;
      throw new OutcomeUnknown('a conflict could not be read', { cause });
    }
  }

  protected async readStreamPage(
    stream: string,
    from: number | undefined,
    backwards: boolean,
    count: number,
  ): Promise<readonly RecordedEvent[]> {
    const part: StreamPart = { from, backwards, count };
    const found = await this.#read(streamRequest(stream, part));
    // Some servers omit positions. The end of the log is never too early.
    const fallback = found.every(({ position }) => position) ? START : await this.head();
    return found.map((stored) => toRecorded(stored, stored.position ?? fallback));
  }

  protected async readPage(after: Position, options: PageOptions): Promise<Batch> {
    // Servers differ in whether they include the event at this position.
    return pageOf(await this.#read(allRequest(after, options.pageSize + 1)), after, options);
  }

  protected override async readNewPage(after: Position, options: PageOptions): Promise<Batch> {
    const pushed = this.#pushed.after(after, options.pageSize);
    return pushed.length > 0 ? pageOf(pushed, after, options) : this.readPage(after, options);
  }

  async #read(request: Parameters<Connection['read']>[0]): Promise<Stored[]> {
    const read = async () => (await this.#leader.connection()).read(request);
    const elsewhere = (error: unknown) => {
      if (error instanceof NotLeader) return read();
      throw error;
    };
    const found = await this.#reads.take(() => read().catch(elsewhere));
    return found.map(toStored);
  }

  async #identify(): Promise<string> {
    const connection = await this.#leader.connection();
    const verdict = await connection.append(IDENTITY, 'none', [naming(randomUUID())]);
    const deadline = performance.now() + this.#timeoutMs;
    for (let wait = LAG; ; wait = Math.min(MOST_LAG, 2 * wait)) {
      const [named] = await this.#read(streamRequest(IDENTITY, { from: 0, backwards: false, count: 1 }));
      if (named) return nameIn(named);
      if (verdict.ok || performance.now() > deadline) throw new Error('the log has lost its id');
      await pause(wait);
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.closing;
    const heard = (event: Stored | undefined): void => {
      if (event) this.#pushed.take(event);
      this.wakeups.wake();
    };
    while (!signal.aborted) {
      await this.#leader
        .connection()
        .then((connection) => connection.watch(heard, signal))
        .catch(() => undefined /* connection lost: retried */);
      this.#pushed.forget();
      // Events between two push subscriptions woke nobody.
      this.wakeups.wake();
      await new Wakeups().wait(0, RECONNECT_MS, signal);
    }
  }
}
