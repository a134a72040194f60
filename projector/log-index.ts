import type pg from 'pg';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import type { EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import { arrayLiteral, textArray } from '#infra/postgres/array-parameters.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { LOG_INDEX, toPlace, wordsOfEvent } from '#infra/read-models/log-index.ts';
import type { Leading, LeadingOptions } from '#infra/subscriptions/leader.ts';
import { subscribe } from '#infra/subscriptions/subscription.ts';

/** Increment on every change of the tables or their content: the index is then rebuilt. */
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

/** Advisory lock for creating the tables. The number must be unique. */
const LOCK = 7_737_478;

/**
 * Rebuilds the index if missing, older, of another log, or ahead of a restored one. A newer version is kept:
 * a restarted older projector must not revert it.
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
    // Expire the lease now: an older projector waits a minute before it assumes a rollback.
    await client.query(
      `INSERT INTO ${LOG_INDEX}.checkpoint (version, log_id, lease_until) VALUES ($1, $2, clock_timestamp())`,
      values,
    );
  });
};

interface Meta {
  readonly actor?: { readonly kind?: string; readonly id?: string };
  readonly correlationId?: string;
  readonly causationId?: string;
}

const metaOf = ({ meta }: RecordedEvent): Meta => {
  try {
    return JSON.parse(meta);
  } catch {
    return {}; // Whatever its bytes, the event can be found by position.
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

/** Small enough not to block others while words are extracted. */
const PAGE = 250;
/** Pause at the end of the log, in milliseconds: larger batches cost less. */
const REST = 100;
/** Pause behind the end of the log while others append, as a multiple of the batch's duration: sales go first. */
const YIELDS = 19;
const LEASE = 3_000;

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
