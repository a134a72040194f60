/**
 * The log in EventStoreDB (22.6 or later). Only this file and `eventstoredb-*.ts` know its client, so that another can
 * take its place.
 *
 * `$all` gives the order. A subscription is pages of `$all`, woken by one push subscription, so that a slow consumer
 * holds nobody up. What was measured stands in docs/decisions/010-event-log.md.
 */
import {
  BACKWARDS,
  END,
  excludeSystemEvents,
  FORWARDS,
  NotLeaderError,
  START as START_OF_ALL,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { checkBatch, passes } from './batch.ts';
import {
  type Append,
  type AppendResult,
  type Batch,
  type EventLog,
  EventTooLarge,
  type Filter,
  LogUnavailable,
  OutcomeUnknown,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  START,
  type SubscribeOptions,
} from './event-log.ts';
import {
  borrowClient,
  identify,
  inTime,
  LEADER,
  returnClient,
  type SharedClient,
} from './eventstoredb-client.ts';
import {
  commitOf,
  isOurs,
  type Outgoing,
  placeOf,
  type Stored,
  toOutgoing,
  toRecorded,
} from './eventstoredb-events.ts';
import { follow, pages, Wakeups } from './follow.ts';

export interface EventStoreDbLogOptions {
  /** `esdb://…` */
  readonly url: string;
  /** How often subscriptions look without being woken, in ms. Default 5,000. */
  readonly pollMs?: number;
  /** An append without an answer for this long counts as lost, in ms. Default 12,000 (the client's own limit is 10,000). */
  readonly timeoutMs?: number;
  /** What `recordedAt` says. Default: the machine's clock. */
  readonly now?: () => Date;
  /** TESTS ONLY: appends whatever the stream holds, which loses every guarantee that deciders rely on. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/** The store takes so many bytes an append, unless it is set up otherwise. */
const LARGEST_APPEND = 1024 * 1024;
const STREAM_PAGE = 500;
const RECONNECT_MS = 250;

export class EventStoreDbLog implements EventLog {
  readonly id: string;
  readonly #shared: SharedClient;
  readonly #options: EventStoreDbLogOptions;
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();
  #watching: Promise<void> | undefined;

  private constructor(id: string, shared: SharedClient, options: EventStoreDbLogOptions) {
    this.id = id;
    this.#shared = shared;
    this.#options = options;
  }

  /** Opens the log, giving it an id the first time. @throws LogUnavailable */
  static async open(options: EventStoreDbLogOptions): Promise<EventStoreDbLog> {
    const shared = borrowClient(options.url);
    try {
      return new EventStoreDbLog(await identify(shared, options.timeoutMs), shared, options);
    } catch (error) {
      returnClient(options.url);
      throw error;
    }
  }

  async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    checkBatch(batch);
    const now = (this.#options.now?.() ?? new Date()).toISOString();
    const items = batch.map((item) => ({ item, sent: item.events.map((event) => toOutgoing(event, now)) }));
    for (const { item, sent } of items) {
      const bytes = sent.reduce((sum, event) => sum + event.bytes, 0);
      if (bytes > LARGEST_APPEND) throw new EventTooLarge(`${bytes} bytes at once for ${item.stream}`);
    }
    // What has not been sent when one fails need not be: the whole call's outcome is unknown by then.
    let failed: unknown;
    const outcomes = await Promise.allSettled(
      items.map(({ item, sent }) =>
        this.#shared.inTurn(async () => {
          if (failed) throw failed;
          return this.#appendOne(item, sent).catch((error: unknown) => {
            failed ??= error;
            throw error;
          });
        }),
      ),
    );
    const results = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    if (results.length === batch.length) return results;
    const refused = outcomes.every((it) => it.status === 'rejected' && it.reason instanceof NotLeaderError);
    if (refused) throw new LogUnavailable('the store has a new leader', { cause: failed });
    // "Unavailable" may come for an append that was written.
    throw new OutcomeUnknown('the reply to an append was lost', { cause: failed });
  }

  async *readStream(
    stream: string,
    { from, backwards = false, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
  ): AsyncGenerator<RecordedEvent, void> {
    let next: bigint | 'start' | 'end' = from === undefined ? (backwards ? 'end' : 'start') : BigInt(from);
    let left = limit;
    while (left > 0) {
      const size = Math.min(left, STREAM_PAGE);
      const page = await this.#readStreamPage(stream, next, backwards, size);
      yield* page;
      const last = page.at(-1);
      if (page.length < size || !last || (backwards && last.revision === 0)) return;
      next = BigInt(last.revision + (backwards ? -1 : 1));
      left -= page.length;
    }
  }

  readAll(after: Position, { filter, until, pageSize = 1_000 }: ReadAllOptions = {}): AsyncIterable<Batch> {
    return pages((position) => this.#page(position, filter, pageSize, until), after);
  }

  subscribe(
    after: Position,
    { filter, signal, pageSize = 1_000 }: SubscribeOptions = {},
  ): AsyncIterable<Batch> {
    this.#watching ??= this.#watch();
    return follow({
      readPage: (position) => this.#page(position, filter, pageSize),
      after,
      wakeups: this.#wakeups,
      pollMs: this.#options.pollMs ?? 5_000,
      signal,
      closing: this.#closing.signal,
    });
  }

  async head(): Promise<Position> {
    try {
      const reading = this.#shared.client.readAll({ ...LEADER, direction: BACKWARDS, fromPosition: END });
      for await (const { event } of reading)
        if (event && isOurs(event)) return placeOf(event.position) ?? START;
      return START;
    } catch (cause) {
      throw new LogUnavailable('the store of the log is away', { cause });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wakeups.wake();
    await this.#watching;
    returnClient(this.#options.url);
  }

  async #appendOne({ stream, expected }: Append, sent: readonly Outgoing[]): Promise<AppendResult> {
    const any = expected === 'any' || this.#options.unsafelySkipRevisionCheck;
    try {
      const appending = this.#shared.client.appendToStream(
        stream,
        sent.map(({ event }) => event),
        {
          ...LEADER,
          expectedRevision: any ? 'any' : expected === 'none' ? 'no_stream' : BigInt(expected),
        },
      );
      const result = await inTime(appending, this.#options.timeoutMs);
      const revision = Number(result.nextExpectedRevision);
      // Of several events the store may name the first one's position; the last one is asked for.
      const told = sent.length === 1 ? placeOf(result.position) : undefined;
      const position =
        told ??
        (await this.#readStreamPage(stream, BigInt(revision), false, 1))[0]?.position ??
        (await this.head());
      return { ok: true, revision, position };
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const from = typeof expected === 'number' ? expected + 1 : 0;
      return { ok: false, tail: await Array.fromAsync(this.readStream(stream, { from })) };
    }
  }

  async #readStreamPage(
    stream: string,
    from: bigint | 'start' | 'end',
    backwards: boolean,
    maxCount: number,
  ): Promise<RecordedEvent[]> {
    const found: Stored[] = [];
    try {
      const reading = this.#shared.client.readStream(stream, {
        ...LEADER,
        fromRevision: from,
        direction: backwards ? BACKWARDS : FORWARDS,
        maxCount,
      });
      for await (const { event } of reading) if (event) found.push(event);
    } catch (cause) {
      if (cause instanceof StreamNotFoundError) return [];
      throw new LogUnavailable('the store of the log is away', { cause });
    }
    // A server that doesn't say where an event stands gets the end of the log, which is never too early.
    const fallback = found.every(({ position }) => placeOf(position)) ? START : await this.head();
    return found.map((event) => toRecorded(event, placeOf(event.position) ?? fallback));
  }

  async #page(
    after: Position,
    filter: Filter | undefined,
    pageSize: number,
    until?: Position,
  ): Promise<Batch> {
    const commit = commitOf(after);
    const found: { readonly event: Stored; readonly place: Position }[] = [];
    let position = after;
    let looked = 0;
    try {
      const reading = this.#shared.client.readAll({
        ...LEADER,
        // It may or may not be given again, by version of the server: one more is asked for, and it is left out.
        fromPosition: after === START ? START_OF_ALL : { commit, prepare: commit },
        maxCount: pageSize + 1,
      });
      for await (const { event } of reading) {
        if (!event || event.position.commit <= commit) continue;
        const place = placeOf(event.position) ?? position;
        if (until !== undefined && place > until) continue;
        looked += 1;
        position = place;
        if (isOurs(event) && (!filter || passes(filter, { stream: event.streamId, type: event.type })))
          found.push({ event, place });
      }
    } catch (cause) {
      throw new LogUnavailable('the store of the log is away', { cause });
    }
    const events = found.map(({ event, place }) => toRecorded(event, place));
    return { events, position, live: looked < pageSize };
  }

  /** Keeps one push subscription up, only to be woken; what is read is read by page. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await new Promise<void>((broken) => {
        const subscription = this.#shared.client.subscribeToAll({
          fromPosition: END,
          filter: excludeSystemEvents(),
        });
        // Where it never stood, there is nothing to end.
        const stop = () => void subscription.unsubscribe().then(broken, broken);
        signal.addEventListener('abort', stop, { once: true });
        const over = () => {
          signal.removeEventListener('abort', stop);
          broken();
        };
        subscription
          .on('confirmation', () => this.#wakeups.wake())
          .on('data', () => this.#wakeups.wake())
          .on('error', over)
          .on('end', over)
          .on('close', over);
      });
      // Between two subscriptions events may have come that no one announced.
      this.#wakeups.wake();
      await new Wakeups().wait(0, RECONNECT_MS, signal);
    }
  }
}
