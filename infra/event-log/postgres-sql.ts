import { hash } from 'node:crypto';
import pg from 'pg';
import { arrayLiteral, type Scalar, textArray } from '#infra/postgres/array-parameters.ts';
import { toPosition } from './batch.ts';
import { type Append, LogUnavailable, type NewEvent, type RecordedEvent } from './event-log.ts';

const LOCK = 7_737_470;

const NO_STREAM = -1;
const ANY_REVISION = -2;

/** Its payload is the last position. */
export const CHANNEL = 'log_appended';

/**
 * Idempotent; safe to run concurrently. `log.append` takes parallel arrays for items (stream, expected
 * revision, number of events) and for events (item number and number within the item, from 1). It returns
 * one row per item: number, and revision and position of its last event, or nulls for a conflict. One
 * further row has the time in milliseconds as position: a new column would change the function's type, which
 * older processes recreate. The one statement after taking the lock sees everything committed before
 * (`VOLATILE`).
 */
export const SCHEMA = `
CREATE SCHEMA IF NOT EXISTS log;

CREATE TABLE IF NOT EXISTS log.identity (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO log.identity DEFAULT VALUES ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS log.event (
  position bigint PRIMARY KEY,
  recorded_at timestamptz(3) NOT NULL,
  revision integer NOT NULL,
  version integer NOT NULL,
  id uuid NOT NULL,
  stream text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL,
  meta text COLLATE "C" NOT NULL,
  UNIQUE (stream, revision)
  -- An event is never updated: vacuum only freezes rows, so it may run less often.
) WITH (autovacuum_vacuum_insert_scale_factor = 0.5);

CREATE OR REPLACE FUNCTION log.append(
  streams text[], expected integer[], counts integer[],
  items integer[], nths integer[], ids uuid[], types text[], versions integer[], datas text[], metas text[],
  times timestamptz[]
) RETURNS TABLE (item integer, last_revision integer, last_position bigint)
LANGUAGE plpgsql VOLATILE
AS $append$
DECLARE
  taken_at timestamptz;
  head bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK});
  taken_at := clock_timestamp();
  head := coalesce((SELECT e.position FROM log.event e ORDER BY e.position DESC LIMIT 1), 0);
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT i.n::integer AS n, i.stream, i.count, i.expected,
      coalesce((SELECT e.revision FROM log.event e WHERE e.stream = i.stream
        ORDER BY e.revision DESC LIMIT 1), -1) AS last
    FROM unnest(streams, expected, counts) WITH ORDINALITY AS i (stream, expected, count, n)
  ), accepted AS MATERIALIZED (
    SELECT a.n, a.stream, a.last, a.count, head + sum(a.count) OVER (ORDER BY a.n) - a.count AS base
    FROM asked a
    WHERE a.expected = ${ANY_REVISION} OR a.expected = a.last
  ), written AS (
    INSERT INTO log.event (position, recorded_at, revision, version, id, stream, type, data, meta)
    SELECT a.base + e.nth, coalesce(e.at, taken_at), a.last + e.nth, e.version, e.id, a.stream, e.type, e.data, e.meta
    FROM unnest(items, nths, ids, types, versions, datas, metas, times)
      AS e (item, nth, id, type, version, data, meta, at)
    JOIN accepted a ON a.n = e.item
  )
  SELECT asked.n, a.last + a.count, (a.base + a.count)::bigint
  FROM asked LEFT JOIN accepted a USING (n)
  ORDER BY asked.n;
  RETURN QUERY SELECT NULL::integer, NULL::integer, (extract(epoch FROM taken_at::timestamptz(3)) * 1000)::bigint;
END
$append$;
`;

export const SCHEMA_VERSION = hash('sha256', SCHEMA);

export const APPEND = {
  name: 'log-append',
  text: 'SELECT last_revision, last_position FROM log.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
};

export const appendParameters = (batch: readonly Append[], unchecked: boolean): unknown[] => {
  const code = (expected: Append['expected']): number =>
    expected === 'any' || unchecked ? ANY_REVISION : expected === 'none' ? NO_STREAM : expected;
  const events: NewEvent[] = [];
  const items: number[] = [];
  const nths: number[] = [];
  for (const [index, item] of batch.entries()) {
    for (const [nth, event] of item.events.entries()) {
      events.push(event);
      items.push(index + 1);
      nths.push(nth + 1);
    }
  }
  const ofBatch = (value: (item: Append) => Scalar) =>
    arrayLiteral(batch.length, (index) => value(batch[index] as Append));
  const ofEvents = (value: (event: NewEvent) => Scalar) =>
    arrayLiteral(events.length, (index) => value(events[index] as NewEvent));
  return [
    textArray(batch.map(({ stream }) => stream)),
    ofBatch(({ expected }) => code(expected)),
    ofBatch((item) => item.events.length),
    `{${items.join(',')}}`,
    `{${nths.join(',')}}`,
    ofEvents(({ id }) => id),
    textArray(events.map(({ type }) => type)),
    ofEvents(({ version }) => version),
    textArray(events.map(({ data }) => data)),
    textArray(events.map(({ meta }) => meta)),
    ofEvents(({ recordedAt }) => recordedAt),
  ];
};

export interface Row {
  readonly position: string;
  readonly recorded_at: Date;
  readonly revision: number;
  readonly version: number;
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

const COLUMNS = 'position, recorded_at, revision, version, id, stream, type, data, meta';

export const STREAM_FORWARDS = {
  name: 'log-stream-forwards',
  text: `SELECT ${COLUMNS} FROM log.event WHERE stream = $1 AND revision >= $2 ORDER BY revision LIMIT $3`,
};

export const STREAM_BACKWARDS = {
  name: 'log-stream-backwards',
  text: `SELECT ${COLUMNS} FROM log.event WHERE stream = $1 AND revision <= $2 ORDER BY revision DESC LIMIT $3`,
};

export const EACH = {
  name: 'log-each',
  text: `SELECT ${COLUMNS} FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS place (stream, revision, nth)
    JOIN log.event USING (stream, revision) ORDER BY nth`,
};

const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * $1: position to start after; $2: last position; $3: maximum events; $4: maximum positions to scan; $5:
 * stream prefixes; $6: types. `null` disables $2, $5, $6. One statement: end of log and events share a
 * snapshot. Without events, one row of nulls.
 */
export const PAGE = {
  name: 'log-page',
  text: `
    WITH head AS MATERIALIZED (
      SELECT coalesce((SELECT position FROM log.event ORDER BY position DESC LIMIT 1), 0) AS head
    ), looked AS MATERIALIZED (
      SELECT head, least(head, $1::bigint + $4::int, coalesce($2::bigint, head)) AS looked FROM head
    ), page AS (
      SELECT *, count(*) OVER () AS found,
        sum(octet_length(data) + octet_length(meta)) OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING
          AND 1 PRECEDING) AS before
      FROM (
        SELECT ${COLUMNS} FROM log.event
        WHERE position > $1 AND position <= (SELECT looked FROM looked)
          AND ($5::text[] IS NULL OR stream ^@ ANY ($5)) AND ($6::text[] IS NULL OR type = ANY ($6))
        ORDER BY position LIMIT $3
      ) chosen
    )
    SELECT head, looked, page.* FROM looked LEFT JOIN page ON coalesce(page.before, 0) < ${PAGE_BYTES} ORDER BY page.position`,
};

export const toRecorded = (row: Row): RecordedEvent => ({
  id: row.id,
  type: row.type,
  version: row.version,
  data: row.data,
  meta: row.meta,
  stream: row.stream,
  revision: row.revision,
  position: toPosition(Number(row.position)),
  recordedAt: row.recorded_at.toISOString(),
});

const DEFECTS = /^(22|23|42|0A|XX|P0)/;

export const asLogError = (cause: unknown): unknown =>
  cause instanceof pg.DatabaseError && DEFECTS.test(cause.code ?? '')
    ? cause
    : new LogUnavailable('the store of the log is away', { cause });
