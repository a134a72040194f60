/** The `log` schema: one table of events, and the one function that appends to it. */

/** Held from the check to the commit, so that positions are gapless and become visible in their order. */
const LOCK = 7_737_470;

/** Codes for what a stream must look like; other numbers are revisions. */
export const NO_STREAM = -1;
export const WHATEVER = -2;

/** The channel on which appends are announced, after their commit; the payload is the last position. */
export const CHANNEL = 'log_appended';

/**
 * Creates what is missing; may run many times and in several processes at once.
 *
 * `log.append` gets a batch as parallel arrays: of its items (stream, expected, number of events) and of all their
 * events, flat (each with its item's number and its own within the item, both from 1). It answers one row an item: its place in the batch, and the revision and position
 * of its last event, or nulls for a conflict. It is one statement behind the lock: each statement of a `VOLATILE`
 * function has a snapshot of its own, so what is read was committed before, and no loop runs an event at a time.
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
  -- An event is never updated, so pages may be filled to the brim; vacuum only freezes.
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
    WHERE a.expected = ${WHATEVER} OR a.expected = a.last
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
END
$append$;
`;
