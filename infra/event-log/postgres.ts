/**
 * Appends are serialised by an advisory lock, so positions are gapless and become visible in order
 * (docs/decisions/010-event-log.md).
 */
import pg from 'pg';
import { STAYS_OPEN } from '#infra/postgres/database.ts';
import { listen } from '#infra/postgres/listener.ts';
import { checkBatch, fromPosition, passes, toPosition } from './batch.ts';
import {
  type Append,
  type AppendResult,
  type Batch,
  BeyondTheEnd,
  type EventLog,
  type EventPlace,
  LogUnavailable,
  OutcomeUnknown,
  type Position,
  type RecordedEvent,
} from './event-log.ts';
import { Newest } from './newest.ts';
import { PagedLog, type PageOptions } from './paged-log.ts';
import {
  APPEND,
  appendParameters,
  asLogError,
  CHANNEL,
  EACH,
  PAGE,
  type Row,
  SCHEMA,
  SCHEMA_VERSION,
  STREAM_BACKWARDS,
  STREAM_FORWARDS,
  toRecorded,
} from './postgres-sql.ts';

export interface PostgresEventLogOptions {
  readonly url: string;
  /** Without the listening connection. Default 6. */
  readonly connections?: number;
  /** Milliseconds. Default 5,000. */
  readonly pollMs?: number;
  /** Milliseconds per statement. Default 15,000. */
  readonly timeoutMs?: number;
  /** TESTS ONLY: breaks what deciders rely on, to prove that the chaos suite notices. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/**
 * Milliseconds between announcements, and after a burst: a NOTIFY wakes every listener of the database, so
 * appends during a sale share one.
 */
const ANNOUNCE_EVERY = 10;
const RUSH = { events: 15, every: 40 };
const LARGEST_REVISION = 2 ** 31 - 1;

/** With a current schema, a role that may only read and append can open the log. */
const IS_CURRENT = `SELECT obj_description(to_regproc('log.append'), 'pg_proc') = $1 AS current`;

/** Processes would collide in PostgreSQL's catalogue. Statements sent together are one transaction. */
const createSchema = async (pool: pg.Pool): Promise<string> => {
  const found = await pool.query<{ current: boolean | null }>(IS_CURRENT, [SCHEMA_VERSION]);
  if (found.rows[0]?.current !== true)
    await pool.query(
      `SELECT pg_advisory_xact_lock(7737471); ${SCHEMA} COMMENT ON FUNCTION log.append IS '${SCHEMA_VERSION}'`,
    );
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM log.identity');
  const [row] = rows;
  if (!row) throw new Error('the log has lost its id');
  return row.id;
};

export class PostgresEventLog extends PagedLog implements EventLog {
  readonly id: string;
  readonly #pool: pg.Pool;
  readonly #unchecked: boolean;
  protected readonly pollMs: number;
  readonly #stopListening: () => Promise<void>;
  #announcing: NodeJS.Timeout | undefined;
  #announced = { at: 0, position: 0, rests: ANNOUNCE_EVERY };
  #toAnnounce = 0;
  readonly #announcements = new Set<string>();
  readonly #own = new Newest<RecordedEvent>();

  private constructor(id: string, pool: pg.Pool, options: PostgresEventLogOptions) {
    super();
    this.id = id;
    this.#pool = pool;
    this.pollMs = options.pollMs ?? 5_000;
    this.#unchecked = options.unsafelySkipRevisionCheck ?? false;
    const onNotify = (payload: string): void => {
      if (this.#announcements.delete(payload)) return;
      this.hear(toPosition(Number(payload)));
      this.wakeups.wake();
    };
    const onConnect = (): void => {
      this.#announcements.clear();
      this.#own.forget();
      this.wakeups.wake();
    };
    const listener = listen({ url: options.url, channel: CHANNEL, onNotify, onConnect });
    this.#stopListening = () => listener.close();
  }

  static async open(options: PostgresEventLogOptions): Promise<PostgresEventLog> {
    const timeoutMs = options.timeoutMs ?? 15_000;
    const pool = new pg.Pool({
      connectionString: options.url,
      max: options.connections ?? 6,
      application_name: 'reprise log',
      connectionTimeoutMillis: 10_000,
      // Times out before the client, so that a slow append is known to be rolled back.
      statement_timeout: timeoutMs,
      query_timeout: timeoutMs + 2_000,
      ...STAYS_OPEN,
    });
    // Without listeners an error would end the process. Idle connections emit on the pool, busy ones on the
    // client.
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
    const time = rows[batch.length]?.last_position;
    const at = time ? new Date(Number(time)).toISOString() : undefined;
    const results: AppendResult[] = [];
    for (const [index, item] of batch.entries()) {
      const row = rows[index];
      if (!row) throw new OutcomeUnknown('the store answered fewer items than were asked');
      if (row.last_position === null || row.last_revision === null) {
        results.push({ ok: false, tail: await this.#tail(item) });
        continue;
      }
      const position = Number(row.last_position);
      this.hear(toPosition(position));
      results.push({ ok: true, revision: row.last_revision, position: toPosition(position) });
      if (at) this.#keep(item, row.last_revision, position, at);
      this.#announce(position);
    }
    return results;
  }

  #keep({ stream, events }: Append, lastRevision: number, lastPosition: number, at: string): void {
    const before = toPosition(lastPosition - events.length);
    if (this.#own.end !== before) this.#own.beginAfter(before);
    for (const [index, { id, type, version, data, meta, recordedAt = at }] of events.entries()) {
      const back = events.length - 1 - index;
      const revision = lastRevision - back;
      const position = toPosition(lastPosition - back);
      this.#own.take({ id, type, version, data, meta, stream, revision, position, recordedAt });
    }
  }

  protected async readStreamPage(stream: string, from: number | undefined, backwards: boolean, size: number) {
    const [query, first] = backwards ? [STREAM_BACKWARDS, LARGEST_REVISION] : [STREAM_FORWARDS, 0];
    return (await this.#read(query, [stream, from ?? first, size])).map(toRecorded);
  }

  override async readEach(places: readonly EventPlace[]): Promise<readonly RecordedEvent[]> {
    const values = [places.map(({ stream }) => stream), places.map(({ revision }) => revision)];
    return (await this.#read(EACH, values)).map(toRecorded);
  }

  async head(): Promise<Position> {
    const [row] = await this.#read<{ head: string | null }>(
      { name: 'log-head', text: 'SELECT max(position) AS head FROM log.event' },
      [],
    );
    return toPosition(Number(row?.head ?? 0));
  }

  async close(): Promise<void> {
    this.closing.abort();
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
      // `ERROR` means rolled back, with a usable connection; after anything else the reply is lost.
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

  protected async readPage(after: Position, { filter, pageSize, until }: PageOptions): Promise<Batch> {
    const from = Number(fromPosition(after));
    const rows = await this.#read<Row & { head: string; looked: string; found: string }>(PAGE, [
      from,
      until === undefined ? null : Number(fromPosition(until)),
      pageSize,
      filter ? Math.max(pageSize, 10_000) : pageSize,
      filter?.streamPrefixes ?? null,
      filter?.types ?? null,
    ]);
    const [first] = rows;
    const events = rows.filter((row) => row.id !== null).map(toRecorded);
    const head = Number(first?.head ?? 0);
    if (head < from) throw new BeyondTheEnd(`log ${this.id} ends at ${head}, before ${from}`);
    const full = events.length >= pageSize || events.length < Number(first?.found ?? 0);
    const looked = Math.max(from, full ? Number(rows.at(-1)?.position) : Number(first?.looked ?? 0));
    return { events, position: looked === from ? after : toPosition(looked), live: looked >= head };
  }

  protected override async readNewPage(after: Position, options: PageOptions): Promise<Batch> {
    const { filter, pageSize } = options;
    const own = this.#own.after(after, pageSize);
    const last = own.at(-1);
    const live = own.length < pageSize;
    if (!last || (live && last.position < this.heard)) return this.readPage(after, options);
    const events = filter ? own.filter((event) => passes(filter, event)) : own;
    return { events, position: last.position, live };
  }

  #announce(position: number): void {
    this.#toAnnounce = Math.max(this.#toAnnounce, position);
    this.wakeups.wake();
    const wait = Math.max(0, this.#announced.at + this.#announced.rests - performance.now());
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      const rush = this.#toAnnounce - this.#announced.position >= RUSH.events;
      this.#announced = {
        at: performance.now(),
        position: this.#toAnnounce,
        rests: rush ? RUSH.every : ANNOUNCE_EVERY,
      };
      const announced = String(this.#toAnnounce);
      this.#announcements.add(announced);
      // A crash loses only a wake-up: don't wait for the disk.
      this.#pool
        .query({
          name: 'log-announce',
          text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', $1)`,
          values: [announced],
        })
        .catch(() => undefined /* subscriptions poll anyway */);
    }, wait);
  }
}
