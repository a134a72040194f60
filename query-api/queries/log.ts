import type pg from 'pg';
import { allEvents } from '#domain/all-events.ts';
import type { AskedFilter, EventTree, LogEntry } from '#domain/contracts/audit.ts';
import { masked } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isSealed, isUnreadable } from '#infra/event-log/codec.ts';
import type { EventLog, EventPlace, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { LOG_INDEX, toPlace, wordsOfEvent } from '#infra/read-models/log-index.ts';
import { searchQuery, wordsOf } from '#infra/read-models/search.ts';

const ENTRY = `${LOG_INDEX}.entry`;

/** Only foreign writers produce other text: it is returned as `unreadable`. */
export const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {}
  return { unreadable: text };
};

export const sealedFieldsOf = ({ data }: RecordedEvent): readonly string[] =>
  Object.entries(objectIn(data)).flatMap(([field, value]) => (isSealed(value) ? [field] : []));

const metaOf = ({ meta }: RecordedEvent): Partial<Context> => objectIn(meta);

/** Masks personal values, in every schema version. */
export const entryOf = (record: RecordedEvent): LogEntry => {
  const { id, position, stream, revision, type, version, recordedAt } = record;
  const data = objectIn(record.data);
  const { actor, at = recordedAt, commandId, correlationId, causationId } = metaOf(record);
  for (const [field, value] of Object.entries(data)) if (isSealed(value)) data[field] = masked;
  return {
    ...{ id, position, stream, revision, type, version, recordedAt, at, data },
    actor: { kind: actor?.kind ?? 'unknown', id: actor?.id ?? null, role: actor?.role ?? null },
    commandId: commandId ?? null,
    correlationId: correlationId ?? null,
    causationId: causationId ?? null,
  };
};

/** @throws Refusal UNREADABLE_EVENT; any other error is rethrown */
export const orUnreadable = (error: unknown): never => {
  if (!isUnreadable(error)) throw error;
  const message =
    'An event that this needs can’t be read: its bytes in the log are not what was written. Under Proof, a comparison says which.';
  throw new Refusal('UNREADABLE_EVENT', {}, { message });
};

/** Must agree with the index. */
export const passesFilter = (filter: AskedFilter): ((record: RecordedEvent) => boolean) => {
  const { from, to, actor, stream, type, correlation, search } = filter;
  const asked = wordsOf(search ?? '');
  const nothingHasIt = searchQuery(search ?? '') === '';
  return (record) => {
    if (nothingHasIt) return false;
    if (stream && record.stream !== stream) return false;
    if (type && record.type !== type) return false;
    if ((from && record.recordedAt < from) || (to && record.recordedAt >= to)) return false;
    if (actor || correlation) {
      const meta = metaOf(record);
      if (actor && (meta.actor?.id ?? meta.actor?.kind) !== actor) return false;
      if (correlation && meta.correlationId !== correlation) return false;
    }
    if (asked.length === 0) return true;
    const words = wordsOfEvent(record);
    return asked.every((start) => words.some((word) => word.startsWith(start)));
  };
};

interface Row extends EventPlace {
  readonly place: string;
  readonly recorded_at: Date;
}

class Where {
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  add(condition: (...parameters: string[]) => string, ...values: unknown[]): this {
    this.#conditions.push(condition(...values.map((value) => `$${this.values.push(value)}`)));
    return this;
  }

  get sql(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' AND ');
  }
}

/** PostgreSQL has no year 0. */
const storable = (at: string): string => {
  if (at.startsWith('+')) return '9999-12-31T23:59:59.999Z';
  return at < '0001' ? '0001-01-01T00:00:00.000Z' : at;
};

const whereOf = ({ from, to, actor, stream, type, correlation }: AskedFilter): Where => {
  const where = new Where();
  if (from) where.add((at) => `recorded_at >= ${at}::timestamptz`, storable(from));
  if (to) where.add((at) => `recorded_at < ${at}::timestamptz`, storable(to));
  if (actor) where.add((value) => `actor = ${value}`, actor);
  if (stream) where.add((value) => `stream = ${value}`, stream);
  if (type) where.add((value) => `type = ${value}`, type);
  if (correlation) where.add((value) => `correlation_id = ${value}`, correlation);
  return where;
};

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(\d{1,18})$/;

const readCursor = (cursor: string): readonly [at: string, place: string] => {
  const [, at = '', place = ''] = CURSOR.exec(cursor) ?? [];
  const date = new Date(at);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== at || at < '0001')
    throw new Refusal('BAD_INPUT', { fields: { cursor: 'Not a cursor of this list' } });
  return [at, place];
};

const COLUMNS = 'position::text AS place, recorded_at, stream, revision';
const NEWEST = 'ORDER BY recorded_at DESC, position DESC';
/** Rare words are found by the word index, which is fast for them. */
const LOOKED_THROUGH = 5_000;

export class IndexedLog {
  readonly #pool: pg.Pool;
  readonly #log: EventLog;

  constructor(pool: pg.Pool, log: EventLog) {
    this.#pool = pool;
    this.#log = log;
  }

  async #rows(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, [...values])).rows;
  }

  async page(
    filter: AskedFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ readonly records: readonly RecordedEvent[]; readonly next: string | undefined }> {
    const where = whereOf(filter);
    if (cursor) {
      const [at, place] = readCursor(cursor);
      where.add((...p) => `(recorded_at, position) < (${p[0]}::timestamptz, ${p[1]}::bigint)`, at, place);
    }
    const words = searchQuery(filter.search ?? '');
    const rows = await (words === undefined
      ? this.#rows(
          `SELECT ${COLUMNS} FROM ${ENTRY} WHERE ${where.sql} ${NEWEST} LIMIT ${limit + 1}`,
          where.values,
        )
      : this.#containing(where, words, limit + 1));
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      records: await this.#log.readEach(rows.slice(0, limit)),
      next: last && `${last.recorded_at.toISOString()}~${last.place}`,
    };
  }

  async #containing(where: Where, words: string, limit: number): Promise<readonly Row[]> {
    const values = [...where.values, words];
    const found = `words @@ $${values.length}::tsquery`;
    const recent = await this.#rows(
      `SELECT ${COLUMNS} FROM (SELECT * FROM ${ENTRY} WHERE ${where.sql} ${NEWEST} LIMIT ${LOOKED_THROUGH}) newest
        WHERE ${found} ${NEWEST} LIMIT ${limit}`,
      values,
    );
    if (recent.length === limit) return recent;
    return this.#rows(
      `WITH found AS MATERIALIZED (SELECT * FROM ${ENTRY} WHERE ${found} AND ${where.sql})
        SELECT ${COLUMNS} FROM found ${NEWEST} LIMIT ${limit}`,
      values,
    );
  }

  async extent(filter: AskedFilter): Promise<{ readonly until: Position; readonly count: number }> {
    const { rows } = await this.#pool.query<{ position: Position }>(
      `SELECT position FROM ${LOG_INDEX}.checkpoint`,
    );
    const until = rows[0]?.position ?? '';
    const where = this.#upTo(filter, until);
    const counted = await this.#pool.query<{ count: string }>(
      `SELECT count(*) FROM ${ENTRY} WHERE ${where.sql}`,
      where.values,
    );
    return { until, count: Number(counted.rows[0]?.count ?? 0) };
  }

  #upTo(filter: AskedFilter, until: Position): Where {
    const where = whereOf(filter).add((place) => `position <= ${place}::bigint`, toPlace(until));
    const words = searchQuery(filter.search ?? '');
    return words === undefined ? where : where.add((query) => `words @@ ${query}::tsquery`, words);
  }

  async *all(filter: AskedFilter, until: Position): AsyncGenerator<readonly RecordedEvent[], void> {
    for (let after = '0'; ; ) {
      const where = this.#upTo(filter, until).add((place) => `position > ${place}::bigint`, after);
      const text = `SELECT ${COLUMNS} FROM ${ENTRY} WHERE ${where.sql} ORDER BY position LIMIT ${PAGE}`;
      const rows = await this.#rows(text, where.values);
      const last = rows.at(-1);
      if (!last) return;
      yield await this.#log.readEach(rows);
      after = last.place;
    }
  }

  /** What an account caused or what names it, and the given streams, in log order. `at` is the time of the index's last event. */
  async about(
    accountId: string,
    streams: readonly string[],
  ): Promise<{ readonly at: Date | null; readonly places: readonly EventPlace[] }> {
    const [last] = await this.#rows(`SELECT ${COLUMNS} FROM ${ENTRY} e ORDER BY e.position DESC LIMIT 1`, []);
    const places = await this.#rows(
      `WITH found AS MATERIALIZED (
          SELECT position FROM ${ENTRY} WHERE actor = $1
          UNION SELECT position FROM ${ENTRY} WHERE stream = ANY($2)
          UNION SELECT position FROM ${ENTRY} WHERE words @@ $3::tsquery
        ) SELECT ${COLUMNS} FROM found JOIN ${ENTRY} USING (position) ORDER BY found.position`,
      [accountId, streams, searchQuery(accountId)],
    );
    return { at: last?.recorded_at ?? null, places };
  }

  async *each(places: readonly EventPlace[]): AsyncGenerator<readonly RecordedEvent[], void> {
    for (let from = 0; from < places.length; from += PAGE)
      yield await this.#log.readEach(places.slice(from, from + PAGE));
  }

  async one(id: string): Promise<RecordedEvent> {
    if (!UUID.test(id)) throw new Refusal('NOT_FOUND');
    const [record] = await this.#log.readEach(
      await this.#rows(`SELECT ${COLUMNS} FROM ${ENTRY} WHERE id = $1 LIMIT 1`, [id]),
    );
    if (!record) throw new Refusal('NOT_FOUND');
    return record;
  }

  async tree(record: RecordedEvent): Promise<EventTree> {
    const causes: LogEntry[] = [];
    const { correlationId } = entryOf(record);
    for (let of = entryOf(record); of.causationId && causes.length < MOST_CAUSES; ) {
      const cause = await this.one(of.causationId).catch(notThere);
      if (!cause) break;
      of = entryOf(cause);
      causes.unshift(of);
    }
    const effects = await this.#entries(
      `WITH RECURSIVE effect AS (
          SELECT id, position, recorded_at, stream, revision, 1 AS depth FROM ${ENTRY} WHERE causation_id = $1
          UNION ALL
          SELECT e.id, e.position, e.recorded_at, e.stream, e.revision, depth + 1
            FROM effect JOIN ${ENTRY} e ON e.causation_id = effect.id::text WHERE depth < ${MOST_CAUSES}
        ) SELECT ${COLUMNS} FROM effect ORDER BY position LIMIT ${MOST_RELATED}`,
      [record.id],
    );
    const known = new Set([record.id, ...[...causes, ...effects].map(({ id }) => id)]);
    const together = await this.#entries(
      `SELECT ${COLUMNS} FROM ${ENTRY} WHERE correlation_id = $1 ORDER BY position LIMIT ${MOST_RELATED}`,
      [correlationId],
    );
    return { causes, effects, together: together.filter(({ id }) => !known.has(id)) };
  }

  async #entries(text: string, values: readonly unknown[]): Promise<LogEntry[]> {
    return (await this.#log.readEach(await this.#rows(text, values))).map(entryOf);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PAGE = 500;
const MOST_CAUSES = 20;
const MOST_RELATED = 200;

const notThere = (error: unknown): undefined => {
  if (error instanceof Refusal) return undefined;
  throw error;
};

export const eventTypes: readonly string[] = Object.keys(allEvents).toSorted();
