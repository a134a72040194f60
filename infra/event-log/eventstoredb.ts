/**
 * The event log in EventStoreDB (22.6 or later). Only this file and `eventstoredb-*.ts` use its client, so that another client
 * can replace it.
 *
 * The stream `$all` gives the order. Our subscriptions read pages of `$all`; one push subscription of the store only wakes them,
 * so that a slow consumer holds nobody up. Measurements are in docs/decisions/010-event-log.md.
 */
import {
  BACKWARDS,
  START as BEGINNING,
  END,
  excludeSystemEvents,
  FORWARDS,
  NotLeaderError,
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
  LogUnavailable,
  OutcomeUnknown,
  type Position,
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
import { PagedLog, type PageOptions, Wakeups } from './paged-log.ts';

export interface EventStoreDbLogOptions {
  /** `esdb://…` */
  readonly url: string;
  /** How often a subscription looks for events without being woken, in milliseconds. Default 5,000. */
  readonly pollMs?: number;
  /** After how long the answer to an append counts as lost, in milliseconds. Default 12,000 (the client's own limit is 10,000). */
  readonly timeoutMs?: number;
  /** The clock for `recordedAt`. Default: the machine's. */
  readonly now?: () => Date;
  /** TESTS ONLY: appends without comparing revisions. It loses every guarantee that deciders rely on. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/** The largest append, in bytes, that the store takes with its usual settings. */
const LARGEST_APPEND = 1024 * 1024;
/** How long to wait before opening a new push subscription, in milliseconds. */
const RECONNECT_MS = 250;

export class EventStoreDbLog extends PagedLog implements EventLog {
  readonly id: string;
  readonly #shared: SharedClient;
  readonly #options: EventStoreDbLogOptions;
  protected readonly pollMs: number;
  #watching: Promise<void> | undefined;

  private constructor(id: string, shared: SharedClient, options: EventStoreDbLogOptions) {
    super();
    this.id = id;
    this.pollMs = options.pollMs ?? 5_000;
    this.#shared = shared;
    this.#options = options;
  }

  /** Opens the log. The first time it gives the log an id. @throws LogUnavailable */
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
    // Once one append has failed, the outcome of the whole call is unknown: those that wait are not sent any more.
    let failed: unknown;
    const outcomes = await Promise.allSettled(
      items.map(({ item, sent }) =>
        this.#shared.appends.take(async () => {
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
    // The store may answer "unavailable" for an append that it has written.
    throw new OutcomeUnknown('the reply to an append was lost', { cause: failed });
  }

  override subscribe(after: Position, options?: SubscribeOptions): AsyncGenerator<Batch, void> {
    this.#watching ??= this.#watch();
    return super.subscribe(after, options);
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
    this.closing.abort();
    this.wakeups.wake();
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
      // After several events the store may answer with the position of the first: read the position of the last.
      const told = sent.length === 1 ? placeOf(result.position) : undefined;
      const position =
        told ?? (await this.readStreamPage(stream, revision, false, 1))[0]?.position ?? (await this.head());
      return { ok: true, revision, position };
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const from = typeof expected === 'number' ? expected + 1 : 0;
      return { ok: false, tail: await Array.fromAsync(this.readStream(stream, { from })) };
    }
  }

  protected async readStreamPage(
    stream: string,
    from: number | undefined,
    backwards: boolean,
    maxCount: number,
  ): Promise<readonly RecordedEvent[]> {
    const found: Stored[] = [];
    try {
      const reading = this.#shared.client.readStream(stream, {
        ...LEADER,
        fromRevision: from === undefined ? (backwards ? END : BEGINNING) : BigInt(from),
        direction: backwards ? BACKWARDS : FORWARDS,
        maxCount,
      });
      for await (const { event } of reading) if (event) found.push(event);
    } catch (cause) {
      if (cause instanceof StreamNotFoundError) return [];
      throw new LogUnavailable('the store of the log is away', { cause });
    }
    // Some servers don't tell an event's position. The end of the log is then used instead: it is never too early.
    const fallback = found.every(({ position }) => placeOf(position)) ? START : await this.head();
    return found.map((event) => toRecorded(event, placeOf(event.position) ?? fallback));
  }

  protected async readPage(after: Position, { filter, pageSize, until }: PageOptions): Promise<Batch> {
    const commit = commitOf(after);
    const found: { readonly event: Stored; readonly place: Position }[] = [];
    let position = after;
    let looked = 0;
    try {
      const reading = this.#shared.client.readAll({
        ...LEADER,
        // Whether the event at this position is sent again depends on the server's version: ask for one more and skip it.
        fromPosition: after === START ? BEGINNING : { commit, prepare: commit },
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

  /** Keeps one push subscription open until the log is closed. It only wakes ours, which read by page. */
  async #watch(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await new Promise<void>((broken) => {
        const subscription = this.#shared.client.subscribeToAll({
          fromPosition: END,
          filter: excludeSystemEvents(),
        });
        // If the subscription was never confirmed, `unsubscribe` fails: there is nothing to end.
        const stop = () => void subscription.unsubscribe().then(broken, broken);
        signal.addEventListener('abort', stop, { once: true });
        const over = () => {
          signal.removeEventListener('abort', stop);
          broken();
        };
        subscription
          .on('confirmation', () => this.wakeups.wake())
          .on('data', () => this.wakeups.wake())
          .on('error', over)
          .on('end', over)
          .on('close', over);
      });
      // No wake-up came for events that were appended between two push subscriptions.
      this.wakeups.wake();
      await new Wakeups().wait(0, RECONNECT_MS, signal);
    }
  }
}
