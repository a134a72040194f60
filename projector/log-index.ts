/** Fills the index of the log (`infra/read-models/log-index.ts`). Its checkpoint is dropped and made anew with its tables. */

import type pg from 'pg';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import type { EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import { arrayLiteral, textArray } from '#infra/postgres/array-parameters.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { LOG_INDEX, toPlace, wordsOfEvent } from '#infra/read-models/log-index.ts';
import type { Leading, LeadingOptions } from '#infra/subscriptions/leader.ts';
import { subscribe } from '#infra/subscriptions/subscription.ts';

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

const ADD = {
  name: 'log-index-add',
  text: `
    INSERT INTO ${LOG_INDEX}.entry
    SELECT e.position, e.at, e.id, e.revision, e.stream, e.type, e.actor, e.correlation, e.causation,
      array_to_tsvector(string_to_array(e.words, ' '))
    FROM unnest($1::bigint[], $2::timestamptz[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::text[], $10::text[])
      AS e (position, at, id, revision, stream, type, actor, correlation, causation, words)`,
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

/** Few enough events that working out their words keeps nobody waiting. */
const PAGE = 250;
/** The rest after a batch at the end of the log, in milliseconds: larger batches cost less. */
const REST = 100;
/** Sales go first: behind the end of the log, while others append, the rest is so many times as long as a batch took. */
const YIELDS = 19;
const LEASE = 3_000;

/** Fills the index in the background, from its checkpoint on. */
export const startLogIndex = (pool: pg.Pool, log: EventLog, options: LeadingOptions): Leading =>
  subscribe<RecordedEvent>({
    ...options,
    log,
    pool,
    checkpoint: { table: `${LOG_INDEX}.checkpoint` },
    program: VERSION,
    lease: LEASE,
    pageSize: PAGE,
    rest: () => REST,
    yields: YIELDS,
    decode: async (events) => events,
    async handle(events, transaction) {
      await transaction.query({ ...ADD, values: rowsOf(events) });
      return undefined;
    },
  });
