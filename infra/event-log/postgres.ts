/**
 * The log in PostgreSQL. An append is one call of `log.append`, autocommitted, serialized by an advisory lock:
 * positions are gapless and become visible in their order (docs/decisions/010-event-log.md).
 */
import pg from 'pg';
import { listen } from '#infra/postgres/listener.ts';
import { checkBatch, fromPosition, toPosition } from './batch.ts';
import {
  type Append,
  type AppendResult,
  type Batch,
  BeyondTheEnd,
  type EventLog,
  type Filter,
  LogUnavailable,
  OutcomeUnknown,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from './event-log.ts';
import { follow, pages, Wakeups } from './follow.ts';
import { APPEND, appendParameters } from './postgres-append.ts';
import {
  asLogError,
  PAGE,
  type Row,
  STREAM_BACKWARDS,
  STREAM_FORWARDS,
  toRecorded,
} from './postgres-reads.ts';
import { CHANNEL, SCHEMA } from './postgres-schema.ts';

export interface PostgresEventLogOptions {
  readonly url: string;
  /** Connections at the most, the listening one apart. Default 6. */
  readonly connections?: number;
  /** How often subscriptions look without being woken, in ms. Default 5,000. */
  readonly pollMs?: number;
  /** A statement is given up after this long, in ms. Default 15,000. */
  readonly timeoutMs?: number;
  /**
   * TESTS ONLY: appends whatever the stream holds. It loses every guarantee that deciders rely on; the chaos
   * suite's control run uses it to show that the suite would notice.
   */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/** The shortest time from one announcement to the next, so that a sale's many appends share few. */
const ANNOUNCE_EVERY_MS = 10;
const STREAM_PAGE = 500;

/**
 * Several processes that create the schema at once would trip over each other's catalogue rows. What is sent in one piece is
 * one transaction, and the lock is held until that is committed.
 */
const createSchema = async (pool: pg.Pool): Promise<string> => {
  await pool.query(`SELECT pg_advisory_xact_lock(7737471); ${SCHEMA}`);
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM log.identity');
  const [row] = rows;
  if (!row) throw new Error('the log has lost its id');
  return row.id;
};

export class PostgresEventLog implements EventLog {
  readonly id: string;
  readonly #pool: pg.Pool;
  readonly #pollMs: number;
  readonly #unchecked: boolean;
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();
  readonly #stopListening: () => Promise<void>;
  #announcing: NodeJS.Timeout | undefined;
  #announcedAt = 0;
  #toAnnounce = 0;

  private constructor(id: string, pool: pg.Pool, options: PostgresEventLogOptions) {
    this.id = id;
    this.#pool = pool;
    this.#pollMs = options.pollMs ?? 5_000;
    this.#unchecked = options.unsafelySkipRevisionCheck ?? false;
    const wake = () => this.#wakeups.wake();
    const listener = listen({ url: options.url, channel: CHANNEL, onNotify: wake, onConnect: wake });
    this.#stopListening = () => listener.close();
  }

  /** Opens the log in a database, making its schema where it is missing. @throws if the database can't be reached */
  static async open(options: PostgresEventLogOptions): Promise<PostgresEventLog> {
    const timeoutMs = options.timeoutMs ?? 15_000;
    const pool = new pg.Pool({
      connectionString: options.url,
      max: options.connections ?? 6,
      application_name: 'reprise log',
      connectionTimeoutMillis: 10_000,
      // The store gives up first, so that an append that waited too long is undone rather than unknown.
      statement_timeout: timeoutMs,
      query_timeout: timeoutMs + 2_000,
      keepAlive: true,
    });
    // A connection that breaks is replaced, and the query on it told; without a listener it would end the process
    // (idle ones report to the pool, those at work to themselves).
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    try {
      return new PostgresEventLog(await createSchema(pool), pool, options);
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    checkBatch(batch);
    if (batch.length === 0) return [];
    const rows = await this.#send(appendParameters(batch, this.#unchecked));
    const results: AppendResult[] = [];
    for (const [index, item] of batch.entries()) {
      const row = rows[index];
      if (!row) throw new OutcomeUnknown('the store answered fewer items than were asked');
      if (row.last_position === null || row.last_revision === null) {
        results.push({ ok: false, tail: await this.#tail(item) });
      } else {
        results.push({
          ok: true,
          revision: row.last_revision,
          position: toPosition(Number(row.last_position)),
        });
        this.#announce(Number(row.last_position));
      }
    }
    return results;
  }

  async *readStream(
    stream: string,
    { from, backwards = false, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
  ): AsyncGenerator<RecordedEvent, void> {
    let next = from ?? (backwards ? 2 ** 31 - 1 : 0);
    let left = limit;
    while (left > 0) {
      const size = Math.min(left, STREAM_PAGE);
      const rows = await this.#read(backwards ? STREAM_BACKWARDS : STREAM_FORWARDS, [stream, next, size]);
      yield* rows.map(toRecorded);
      const last = rows.at(-1);
      if (rows.length < size || !last) return;
      next = last.revision + (backwards ? -1 : 1);
      left -= rows.length;
    }
  }

  readAll(after: Position, { filter, until, pageSize = 1_000 }: ReadAllOptions = {}): AsyncIterable<Batch> {
    return pages((position) => this.#page(position, filter, pageSize, until), after);
  }

  subscribe(
    after: Position,
    { filter, signal, pageSize = 1_000 }: SubscribeOptions = {},
  ): AsyncIterable<Batch> {
    return follow({
      readPage: (position) => this.#page(position, filter, pageSize),
      after,
      wakeups: this.#wakeups,
      pollMs: this.#pollMs,
      signal,
      closing: this.#closing.signal,
    });
  }

  async head(): Promise<Position> {
    const [row] = await this.#read<{ head: string | null }>(
      { name: 'log-head', text: 'SELECT max(position) AS head FROM log.event' },
      [],
    );
    return toPosition(Number(row?.head ?? 0));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#announcing);
    await this.#stopListening();
    await this.#pool.end();
  }

  async #send(
    values: unknown[],
  ): Promise<readonly { last_revision: number | null; last_position: string | null }[]> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (cause) {
      throw new LogUnavailable('the store of the log is away', { cause });
    }
    try {
      const { rows } = await client.query({ ...APPEND, values });
      client.release();
      return rows;
    } catch (cause) {
      // An `ERROR` undid the call and leaves the connection fit; anything else leaves us without its answer.
      const undone = cause instanceof pg.DatabaseError && cause.severity === 'ERROR';
      client.release(!undone);
      if (undone) throw asLogError(cause);
      throw new OutcomeUnknown('the reply to an append was lost', { cause });
    }
  }

  async #tail({ stream, expected }: Append): Promise<readonly RecordedEvent[]> {
    return Array.fromAsync(
      this.readStream(stream, { from: typeof expected === 'number' ? expected + 1 : 0 }),
    ).catch((cause) => {
      // Other items of the batch may stand, so the whole answer can't be "unavailable".
      throw new OutcomeUnknown('a conflict could not be read', { cause });
    });
  }

  async #read<R extends pg.QueryResultRow = Row>(
    query: { name: string; text: string },
    values: unknown[],
  ): Promise<R[]> {
    try {
      return (await this.#pool.query<R>({ ...query, values })).rows;
    } catch (error) {
      throw asLogError(error);
    }
  }

  async #page(
    after: Position,
    filter: Filter | undefined,
    pageSize: number,
    until?: Position,
  ): Promise<Batch> {
    const from = Number(fromPosition(after));
    const rows = await this.#read<Row & { head: string; looked: string; found: string }>(PAGE, [
      from,
      until === undefined ? null : Number(fromPosition(until)),
      pageSize,
      // A filter that lets little through looks further, but never for long.
      filter ? Math.max(pageSize, 10_000) : pageSize,
      filter?.streamPrefixes ?? null,
      filter?.types ?? null,
    ]);
    const [first] = rows;
    const events = rows.filter((row) => row.id !== null).map(toRecorded);
    const head = Number(first?.head ?? 0);
    if (head < from) throw new BeyondTheEnd(`log ${this.id} ends at ${head}, before ${from}`);
    // Cut off by the number of events, or by their bytes.
    const full = events.length >= pageSize || events.length < Number(first?.found ?? 0);
    const looked = Math.max(from, full ? Number(rows.at(-1)?.position) : Number(first?.looked ?? 0));
    return { events, position: looked === from ? after : toPosition(looked), live: looked >= head };
  }

  /** Tells other processes after the commit: at once after a pause, else at most once per 10 ms. Those in this one at once. */
  #announce(position: number): void {
    this.#toAnnounce = Math.max(this.#toAnnounce, position);
    this.#wakeups.wake();
    const wait = Math.max(0, this.#announcedAt + ANNOUNCE_EVERY_MS - performance.now());
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      this.#announcedAt = performance.now();
      // Nothing is lost with it but a wake-up, so it need not wait for the disk.
      this.#pool
        .query({
          name: 'log-announce',
          text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', $1)`,
          values: [String(this.#toAnnounce)],
        })
        .catch(() => undefined /* the listeners' safety poll makes up for it */);
    }, wait);
  }
}
