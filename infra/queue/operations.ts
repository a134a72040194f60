/** Long operations with progress (`app.operation`): asked for by the command API, run by a projector. */
import type { Pool } from 'pg';
import type { ProjectionWork } from '#domain/contracts/admin-projections.ts';
import type { Finding } from '#domain/contracts/log-proofs.ts';
import { keepable } from '#infra/postgres/keepable.ts';

export const COMPARE_LOG = 'compare-log';
type Kind = ProjectionWork['kind'] | typeof COMPARE_LOG;

export interface Operation {
  readonly id: number;
  readonly kind: Kind;
}

export interface Progress {
  readonly phase?: string;
  readonly events?: number;
  readonly size?: number;
  readonly seconds?: number;
  /** 0 to 1. */
  readonly fraction?: number | undefined;
}

export interface Ended extends Pick<Progress, 'events' | 'size'> {
  /** In words; of a failed operation, why. */
  readonly outcome?: string;
  readonly failed?: boolean;
  readonly findings?: readonly Finding[];
}

const MOST_FINDINGS = 500;
const LONGEST_OUTCOME = 20_000;
/** Minimum interval of reports within a phase, in milliseconds. */
const TELL_EVERY = 500;
/** Maximum interval of reports in milliseconds, and the time without one after which an operation was interrupted. */
const STILL_HERE = 10_000;
const CUT_OFF_AFTER = 60_000;

/** @returns whether it was added: one operation on the read models at a time */
export const askForProjectionWork = async (
  pool: Pool,
  kind: ProjectionWork['kind'],
  by: string,
): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'insert into app.operation (kind, asked_by) values ($1, $2) on conflict do nothing',
    [kind, by],
  );
  return rowCount === 1;
};

/** Requests a comparison of the log with its tree unless one is queued. Resolves to its id. */
export const askForCheck = async (pool: Pick<Pool, 'query'>, by: string): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(
    `with waiting as (select id from app.operation where kind = $2 and started_at is null), asked as (
       insert into app.operation (kind, asked_by) select $2, $1 where not exists (select from waiting) returning id
     ) select max(id)::integer as id from (select id from waiting union all select id from asked) both_of_them`,
    [by, COMPARE_LOG],
  );
  return rows[0]?.id ?? Number.NaN;
};

/**
 * Takes the oldest operation that waits or was interrupted.
 * @param cutOffAfter milliseconds without a report; 0 if no other process can be running one
 */
export const takeOperation = async (
  pool: Pool,
  kinds: readonly Kind[],
  cutOffAfter = CUT_OFF_AFTER,
): Promise<Operation | undefined> => {
  const { rows } = await pool.query<Operation>(
    `update app.operation set started_at = clock_timestamp(), told_at = clock_timestamp()
      where id = (
        select id from app.operation
         where ended_at is null and kind = any($1) and (started_at is null
             or coalesce(told_at, started_at) < clock_timestamp() - $2 * interval '1 millisecond')
         order by id limit 1 for update skip locked)
      returning id::integer, kind`,
    [kinds, cutOffAfter],
  );
  return rows[0];
};

export const endOperation = async (pool: Pool, id: number, ended: Ended): Promise<void> => {
  const { outcome, failed = false, findings, events, size } = ended;
  await pool.query(
    `update app.operation set ended_at = clock_timestamp(), outcome = $2, failed = $3, findings = $4,
        events = coalesce($5, events), size = coalesce($6, size)
      where id = $1 and ended_at is null`,
    [
      id,
      outcome && keepable(outcome.slice(0, LONGEST_OUTCOME)),
      failed,
      findings && JSON.stringify(findings.slice(0, MOST_FINDINGS)),
      events,
      size,
    ],
  );
};

/**
 * Performs an operation that was taken, reports its progress and records its end.
 * @throws its failure, recorded unless `signal` has aborted: then another process takes the operation
 */
export const runOperation = async <Result extends Ended>(
  pool: Pool,
  id: number,
  perform: (tell: (progress: Progress) => void) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> => {
  let last: Progress = {};
  let toldAt = Number.NEGATIVE_INFINITY;
  const report = (): void => {
    toldAt = performance.now();
    const { phase, events, size, seconds, fraction } = last;
    pool
      .query(
        `update app.operation set told_at = clock_timestamp(), phase = coalesce($2, phase), events = coalesce($3, events),
            size = coalesce($4, size), seconds = coalesce($5, seconds), fraction = $6 where id = $1 and ended_at is null`,
        [id, phase, events, size, seconds, fraction],
      )
      .catch(() => undefined /* the next report tells more */);
  };
  const alive = setInterval(report, STILL_HERE);
  try {
    const result = await perform((progress) => {
      const isNew = progress.phase !== last.phase;
      last = { ...last, ...progress };
      if (isNew || performance.now() - toldAt >= TELL_EVERY) report();
    });
    await endOperation(pool, id, result);
    return result;
  } catch (error) {
    if (!signal?.aborted)
      await endOperation(pool, id, {
        outcome: error instanceof Error ? error.message : String(error),
        failed: true,
      });
    throw error;
  } finally {
    clearInterval(alive);
  }
};
