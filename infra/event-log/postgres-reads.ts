/** What is read from `log.event`, how a row becomes an event, and what an error of the store means. */
import pg from 'pg';
import { toPosition } from './batch.ts';
import { LogUnavailable, type RecordedEvent } from './event-log.ts';

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

/** Bytes of events a page, roughly: big events make short pages. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * One page after $1, no further than $2 (null: the end), of at most $3 events, looking at no more than $4
 * positions, for streams that begin with one of $5 and types among $6 (nulls: all). One statement, so that the
 * end of the log and the events are of the same moment. A page without events is one row without an event.
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

/** Classes of SQLSTATE that say the caller's values or our SQL are wrong, which no retry mends. */
const OURS = /^(22|23|42|0A|XX|P0)/;

/** What a failed read, or an append that was undone, means to the caller. */
export const asLogError = (cause: unknown): unknown =>
  cause instanceof pg.DatabaseError && OURS.test(cause.code ?? '')
    ? cause
    : new LogUnavailable('the store of the log is away', { cause });
