/** Fills the index of the log (`infra/read-models/log-index.ts`). Of several processes one does, for it holds a lease. */

import type pg from 'pg';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import { type EventLog, type Position, type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import { pause } from '#infra/lib/outage.ts';
import { arrayLiteral, textArray } from '#infra/postgres/array-parameters.ts';
import { keepLeading, type LeadingOptions, leaseOn } from '#infra/postgres/lease.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { LOG_INDEX, toPlace, wordsOfEvent } from '#infra/read-models/log-index.ts';

/** Raise it with every change of the tables or of what is written into them: the index is then made anew. */
const VERSION = 3;

const TABLES = `
CREATE SCHEMA IF NOT EXISTS ${LOG_INDEX};
CREATE TABLE ${LOG_INDEX}.checkpoint (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  version integer NOT NULL,
  log_id text NOT NULL,
  position text COLLATE "C" NOT NULL DEFAULT '',
  holder uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity') WITH (fillfactor = 50);
CREATE TABLE ${LOG_INDEX}.entry (
  position bigint PRIMARY KEY,
  recorded_at timestamptz(3) NOT NULL,
  id uuid NOT NULL,
  revision integer NOT NULL,
  stream text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  correlation_id text COLLATE "C" NOT NULL,
  causation_id text COLLATE "C",
  words tsvector NOT NULL);
CREATE INDEX ON ${LOG_INDEX}.entry (recorded_at, position);
CREATE INDEX ON ${LOG_INDEX}.entry (stream, recorded_at, position);
CREATE INDEX ON ${LOG_INDEX}.entry (type, recorded_at, position);
CREATE INDEX ON ${LOG_INDEX}.entry (actor, recorded_at, position);
CREATE INDEX ON ${LOG_INDEX}.entry (correlation_id, recorded_at, position);
CREATE INDEX ON ${LOG_INDEX}.entry (causation_id) WHERE causation_id IS NOT NULL;
CREATE INDEX ON ${LOG_INDEX}.entry (id);
CREATE INDEX ON ${LOG_INDEX}.entry USING gin (words)`;

/** Adds a batch and moves the checkpoint, both or neither: nothing is written by whom the lease was taken from. */
const ADD = {
  name: 'log-index-add',
  text: `
    WITH moved AS (
      UPDATE ${LOG_INDEX}.checkpoint SET position = $1 WHERE position = $2 AND holder = $3 RETURNING 1
    ), added AS (
      INSERT INTO ${LOG_INDEX}.entry
      SELECT e.position, e.at, e.id, e.revision, e.stream, e.type, e.actor, e.correlation, e.causation,
        array_to_tsvector(string_to_array(e.words, ' '))
      FROM unnest($4::bigint[], $5::timestamptz[], $6::uuid[], $7::integer[], $8::text[], $9::text[], $10::text[],
          $11::text[], $12::text[], $13::text[])
        AS e (position, at, id, revision, stream, type, actor, correlation, causation, words), moved
    )
    SELECT FROM moved`,
};

/** The advisory lock for making the tables. No other code uses this number. */
const LOCK = 7_737_478;

/**
 * Makes the index where it is missing, of an older version or of another log; also where the log has been put back to before it. One of a
 * newer version is left as it is: a projector of an older release that starts once more must not turn it back.
 */
export const createLogIndex = async (pool: pg.Pool, log: EventLog): Promise<void> => {
  await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rows: found } = await client.query(`SELECT to_regclass('${LOG_INDEX}.checkpoint') AS it`);
    const { rows } = found[0]?.it
      ? await client.query<{ version: number; log_id: string; position: Position }>(
          `SELECT version, log_id, position FROM ${LOG_INDEX}.checkpoint`,
        )
      : { rows: [] };
    const [row] = rows;
    if (row && row.version >= VERSION && (await isOfLog(log, row.log_id, row.position))) return;
    await client.query(`DROP SCHEMA IF EXISTS ${LOG_INDEX} CASCADE; ${TABLES}`);
    const values = [VERSION, log.id];
    // The lease has run out just now: an older projector waits a minute from here before it takes it for an upgrade that was taken back.
    await client.query(
      `INSERT INTO ${LOG_INDEX}.checkpoint (version, log_id, lease_until) VALUES ($1, $2, clock_timestamp())`,
      values,
    );
  });
};

/** As much of an event's meta as is indexed. */
interface Meta {
  readonly actor?: { readonly kind?: string; readonly id?: string };
  readonly correlationId?: string;
  readonly causationId?: string;
}

const metaOf = ({ meta }: RecordedEvent): Meta => {
  try {
    return JSON.parse(meta);
  } catch {
    return {}; // Whatever the bytes are, the event is in the log, and is found by its place.
  }
};

const rowsOf = (events: readonly RecordedEvent[]): unknown[] => {
  const metas = events.map(metaOf);
  const each = (value: (event: RecordedEvent, meta: Meta) => string | number | undefined) =>
    arrayLiteral(events.length, (index) => value(events[index] as RecordedEvent, metas[index] as Meta));
  return [
    each(({ position }) => toPlace(position)),
    each(({ recordedAt }) => recordedAt),
    each(({ id }) => id),
    each(({ revision }) => revision),
    each(({ stream }) => stream),
    each(({ type }) => type),
    each((_, { actor }) => actor?.id ?? actor?.kind ?? ''),
    each((_, { correlationId }) => correlationId ?? ''),
    each((_, { causationId }) => causationId),
    textArray(events.map((event) => wordsOfEvent(event).join(' '))),
  ];
};

/** Little enough events that working out their words keeps nobody waiting. */
const PAGE = 250;
/** The shortest time from one batch to the next at the end of the log, in milliseconds: larger batches cost less. */
const PACE = 100;
/** While others write, this is not hurried after them: it rests so many times as long as a batch took that they wrote beside. */
const REST = 19;
const LEASE = 3_000;

/** The filling of the index, until it is stopped. */
export interface LogIndexing {
  stop(): Promise<void>;
}

/** Fills the index in the background, from where it is. */
export const startLogIndex = (pool: pg.Pool, log: EventLog, options: LeadingOptions): LogIndexing => {
  const lease = leaseOn({ pool, table: `${LOG_INDEX}.checkpoint`, ms: LEASE, version: VERSION });

  const follow = async (signal: AbortSignal, well: () => void): Promise<void> => {
    const { rows } = await pool.query<{ position: Position }>(`SELECT position FROM ${LOG_INDEX}.checkpoint`);
    let position = rows[0]?.position ?? START;
    for await (const batch of log.subscribe(position, { signal, pageSize: PAGE })) {
      const began = performance.now();
      const before = batch.live ? undefined : await log.head();
      if (batch.events.length > 0) {
        const values = [batch.position, position, lease.holder, ...rowsOf(batch.events)];
        if ((await pool.query({ ...ADD, values })).rowCount !== 1) return;
        position = batch.position;
      }
      well();
      const took = performance.now() - began;
      if (batch.live) await pause(PACE, signal);
      else if (before !== (await log.head())) await pause(REST * took, signal);
    }
  };

  return keepLeading(lease, follow, options);
};
