/**
 * The log in EventStoreDB (22.6 or later). The only file that knows its client, so that another can take its place.
 *
 * `$all` gives the order. `data` travels as the bytes it is; `meta`, the schema's version and our time stand in the
 * event's metadata, as JSON around the text. A subscription is pages of `$all`, woken by one push subscription, so
 * that a slow consumer holds nobody up. What was measured stands in docs/decisions/010-event-log.md.
 */
import { randomUUID } from 'node:crypto';
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  binaryEvent,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  FORWARDS,
  NotLeaderError,
  type ResolvedEvent,
  START as START_OF_ALL,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import * as z from 'zod';
import { checkBatch, fromPosition, passes, toPosition } from './batch.ts';
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
} from './event-log.ts';
import { follow, Wakeups } from './follow.ts';

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

/** Holds the log's id; no event of ours, so nobody sees it. */
const IDENTITY = 'reprise-log-identity';
/** The store takes 1 MB an append; metadata and framing need some of it. */
const LARGEST_APPEND = 1_000_000;
const STREAM_PAGE = 500;
const RECONNECT_MS = 250;
/** What the protocol says for "no position known". */
const NO_POSITION = 2n ** 64n - 1n;

const envelopeSchema = z.object({ meta: z.string(), version: z.number(), recordedAt: z.string() });

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Positions of the store begin with 0, ours with 1: `START` is before the first. */
const placeOf = (commit: bigint): Position => toPosition(commit + 1n);
const commitOf = (position: Position): bigint => fromPosition(position) - 1n;

type Stored = NonNullable<ResolvedEvent['event'] | AllStreamResolvedEvent['event']>;

const toRecorded = (event: Stored, position: Position): RecordedEvent => {
  const { meta, version, recordedAt } = envelopeSchema.parse(event.metadata);
  if (!(event.data instanceof Uint8Array))
    throw new TypeError(`${event.streamId} holds an event that isn't ours`);
  return {
    id: event.id,
    type: event.type,
    version,
    data: decode(event.data),
    meta,
    stream: event.streamId,
    revision: Number(event.revision),
    position,
    recordedAt,
  };
};

/**
 * One client a process and address: an error on one client's batch stream rejects the pending appends of every other
 * client in the process, and a reply that comes after that throws outside of any call.
 */
const clients = new Map<string, { client: EventStoreDBClient; users: number }>();

const borrowClient = (url: string): EventStoreDBClient => {
  const known = clients.get(url) ?? { client: EventStoreDBClient.connectionString(url), users: 0 };
  known.users += 1;
  clients.set(url, known);
  return known.client;
};

/** Ends a client that nobody uses any more. */
const returnClient = (url: string): void => {
  const known = clients.get(url);
  if (!known) return;
  known.users -= 1;
  if (known.users > 0) return;
  clients.delete(url);
  // It cancels its streams at once, but may wait for ever for the batch stream to say so.
  known.client.dispose().catch(() => undefined);
};

export class EventStoreDbLog implements EventLog {
  readonly id: string;
  readonly #client: EventStoreDBClient;
  readonly #options: EventStoreDbLogOptions;
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();
  #watching: Promise<void> | undefined;

  private constructor(id: string, client: EventStoreDBClient, options: EventStoreDbLogOptions) {
    this.id = id;
    this.#client = client;
    this.#options = options;
  }

  /** Opens the log, giving it an id the first time. @throws LogUnavailable */
  static async open(options: EventStoreDbLogOptions): Promise<EventStoreDbLog> {
    const client = borrowClient(options.url);
    try {
      return new EventStoreDbLog(await EventStoreDbLog.#identify(client), client, options);
    } catch (error) {
      returnClient(options.url);
      throw error;
    }
  }

  static async #identify(client: EventStoreDBClient): Promise<string> {
    const event = binaryEvent({ type: 'LogNamed', data: encode(randomUUID()) });
    await client.appendToStream(IDENTITY, event, { expectedRevision: 'no_stream' }).catch((cause) => {
      // Named before, or by another process at this moment: what stands is read below.
      if (!(cause instanceof WrongExpectedVersionError))
        throw new LogUnavailable('the store of the log is away', { cause });
    });
    try {
      for await (const { event: named } of client.readStream(IDENTITY, { maxCount: 1 }))
        if (named?.data instanceof Uint8Array) return decode(named.data);
    } catch (cause) {
      throw new LogUnavailable('the store of the log is away', { cause });
    }
    throw new Error('the log has lost its id');
  }

  async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    checkBatch(batch);
    for (const { stream, events } of batch) {
      const bytes = events.reduce(
        (sum, { data, meta }) => sum + Buffer.byteLength(data) + Buffer.byteLength(meta),
        0,
      );
      if (bytes > LARGEST_APPEND) throw new EventTooLarge(`${bytes} bytes at once for ${stream}`);
    }
    const outcomes = await Promise.allSettled(batch.map((item) => this.#appendOne(item)));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    const [first] = failed;
    if (first) {
      const refused =
        failed.length === batch.length && failed.every(({ reason }) => reason instanceof NotLeaderError);
      if (refused) throw new LogUnavailable('the store has a new leader', { cause: first.reason });
      // "Unavailable" may come for an append that was written.
      throw new OutcomeUnknown('the reply to an append was lost', { cause: first.reason });
    }
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
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

  async *readAll(
    after: Position,
    { filter, until, pageSize = 1_000 }: ReadAllOptions = {},
  ): AsyncGenerator<Batch, void> {
    let position = after;
    for (;;) {
      const batch = await this.#page(position, filter, pageSize, until);
      if (batch.position === position) return;
      position = batch.position;
      yield batch;
    }
  }

  subscribe(
    after: Position,
    { filter, signal, pageSize = 1_000 }: { filter?: Filter; signal?: AbortSignal; pageSize?: number } = {},
  ): AsyncIterable<Batch> {
    this.#watching ??= this.#watch();
    return follow({
      readPage: (position) => this.#page(position, filter, pageSize),
      after,
      wakeups: this.#wakeups,
      pollMs: this.#options.pollMs ?? 5_000,
      signal: signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal,
    });
  }

  async head(): Promise<Position> {
    try {
      for await (const { event } of this.#client.readAll({ direction: BACKWARDS, fromPosition: END }))
        if (event && this.#isOurs(event)) return placeOf(event.position.commit);
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

  #isOurs(event: { readonly type: string; readonly streamId: string }): boolean {
    return !event.type.startsWith('$') && !event.streamId.startsWith('$') && event.streamId !== IDENTITY;
  }

  async #appendOne(item: Append): Promise<AppendResult> {
    const { stream, expected, events } = item;
    const now = (this.#options.now?.() ?? new Date()).toISOString();
    const sent = events.map(({ id, type, version, data, meta, recordedAt = now }) =>
      binaryEvent({ id, type, data: encode(data), metadata: { meta, version, recordedAt } }),
    );
    const any = expected === 'any' || this.#options.unsafelySkipRevisionCheck;
    try {
      const result = await this.#inTime(
        this.#client.appendToStream(stream, sent, {
          expectedRevision: any ? 'any' : expected === 'none' ? 'no_stream' : BigInt(expected),
        }),
      );
      const revision = Number(result.nextExpectedRevision);
      // Of several events the store may name the first one's position; the last one is asked for.
      const position =
        events.length === 1 && result.position
          ? placeOf(result.position.commit)
          : ((await this.#readStreamPage(stream, BigInt(revision), false, 1))[0]?.position ??
            (await this.head()));
      return { ok: true, revision, position };
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const from = typeof expected === 'number' ? expected + 1 : 0;
      return { ok: false, tail: await Array.fromAsync(this.readStream(stream, { from })) };
    }
  }

  /** A write to a connection that just broke may never settle, whatever the deadline. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new OutcomeUnknown('no answer in time')),
        this.#options.timeoutMs ?? 12_000,
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
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
      const reading = this.#client.readStream(stream, {
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
    const known = ({ position }: Stored) => position && position.commit !== NO_POSITION;
    const fallback = found.every(known) ? START : await this.head();
    return found.map((event) =>
      toRecorded(event, event.position && known(event) ? placeOf(event.position.commit) : fallback),
    );
  }

  async #page(
    after: Position,
    filter: Filter | undefined,
    pageSize: number,
    until?: Position,
  ): Promise<Batch> {
    const commit = commitOf(after);
    const events: RecordedEvent[] = [];
    let position = after;
    let looked = 0;
    try {
      const reading = this.#client.readAll({
        // It may or may not be given again, by version of the server: one more is asked for, and it is left out.
        fromPosition: after === START ? START_OF_ALL : { commit, prepare: commit },
        maxCount: pageSize + 1,
      });
      for await (const { event } of reading) {
        if (!event || event.position.commit <= commit) continue;
        const place = placeOf(event.position.commit);
        if (until !== undefined && place > until) continue;
        looked += 1;
        position = place;
        if (this.#isOurs(event) && (!filter || passes(filter, { stream: event.streamId, type: event.type })))
          events.push(toRecorded(event, place));
      }
    } catch (cause) {
      throw new LogUnavailable('the store of the log is away', { cause });
    }
    return { events, position, live: looked < pageSize };
  }

  /** Keeps one push subscription up, only to be woken; what is read is read by page. */
  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await new Promise<void>((broken) => {
        const subscription = this.#client.subscribeToAll({
          fromPosition: END,
          filter: excludeSystemEvents(),
        });
        const stop = () => void subscription.unsubscribe().finally(broken);
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
