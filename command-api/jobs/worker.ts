import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import { backOff, isPassing, type Trouble } from '#infra/lib/outage.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import { addJobs, type Job, type JobKind, TO_DECIDE, ToDecide } from './jobs.ts';

/**
 * Resolves to the next due time, undefined when done; a throw retries later. On abort of `ending`, stop
 * early: the rest is due at once.
 */
export type Handler<Kind extends JobKind> = (
  job: Extract<Job, { readonly kind: Kind }>,
  ending: AbortSignal,
) => Promise<Date | undefined>;
export type Handlers = { readonly [Kind in JobKind]: Handler<Kind> };

export interface WorkerOptions {
  readonly pool: Pool;
  readonly handlers: Handlers;
  readonly concurrency?: number;
  /** Polling interval in milliseconds. Default 500. */
  readonly every?: number;
  onFailure?(job: Job, error: unknown): void;
  /** Reports an outage of a shared dependency (database, payment provider); the worker backs off. */
  readonly trouble?: Trouble;
}

/** Each job runs in one process at a time. Unknown kinds are left to newer programs. */
export interface Worker {
  wake(): void;
  /** Starts no more jobs, aborts running ones, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** Lease in seconds; also the delay until a killed process's jobs are retried. */
const LEASE = 15;
const RENEW_EVERY = 4_000;

const due = (which: string, most: string): string => `
  select id from app.job
   where due_at <= now() and (leased_until is null or leased_until < now()) and kind = any($3) and ${which}
   order by due_at limit ${most} for update skip locked`;
const IS_TO_DECIDE = `starts_with(id, '${TO_DECIDE}')`;

/** Jobs that need a person (thousands after a restore) must not delay the others. */
const CLAIM = `
  with first as (${due(`not ${IS_TO_DECIDE}`, '$2')}),
    others as (${due(IS_TO_DECIDE, '$2 - (select count(*) from first)')})
  update app.job set lease = $1, leased_until = now() + make_interval(secs => ${LEASE})
   where id in (select id from first union all select id from others)
  returning id, kind, subject, payload, due_at as "dueAt", tries`;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;
const PATIENT_FOR = 30;
const GIVE_IT_A_REST = 5 * 60_000;

/** Backoff in milliseconds, with up to 50% jitter. Jobs that need a person are retried rarely from the start. */
export const waitAfter = (tries: number, error?: unknown): number =>
  tries > PATIENT_FOR || error instanceof ToDecide
    ? backOff(0, GIVE_IT_A_REST, GIVE_IT_A_REST)
    : backOff(tries, FIRST_WAIT, LONGEST_WAIT);

const reasonOf = (error: unknown): string =>
  keepable((error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500));

export const startWorker = (options: WorkerOptions): Worker => {
  const { pool, handlers, concurrency = 8, trouble } = options;
  const kinds = Object.keys(handlers);
  const lease = randomUUID();
  const running = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let looking: Promise<void> | undefined;
  let again = false;
  let away = 0;
  let restsUntil = 0;

  const rest = (error: unknown): void => {
    restsUntil = performance.now() + backOff(away++, FIRST_WAIT, LONGEST_WAIT);
    trouble?.met(error);
  };
  const well = (): void => {
    away = 0;
    restsUntil = 0;
    trouble?.over();
  };

  const handle = (job: Job): Promise<Date | undefined> => {
    const handler = handlers[job.kind] as Handler<JobKind>;
    return handler(job, ending.signal);
  };

  const work = async (job: Job): Promise<void> => {
    try {
      let next: Date | undefined;
      try {
        next = await handle(job);
        well();
      } catch (error) {
        if (isPassing(error)) rest(error);
        else options.onFailure?.(job, error);
        await pool.query(
          // Keep a due time set meanwhile by others. A JavaScript Date has no microseconds.
          `update app.job set tries = greatest(tries + 1, $5), last_error = $3,
                due_at = case when due_at > $6::timestamptz + interval '1 millisecond' then due_at
                              else now() + $4 * interval '1 millisecond' end,
                lease = null, leased_until = null
            where id = $1 and lease = $2`,
          // List jobs that need a person after the first failure.
          [
            job.id,
            lease,
            reasonOf(error),
            waitAfter(job.tries, error),
            error instanceof ToDecide ? LISTED_FROM : 0,
            job.dueAt,
          ],
        );
        return;
      }
      if (next) {
        await pool.query(
          `update app.job set tries = 0, last_error = null, due_at = $3, lease = null, leased_until = null
            where id = $1 and lease = $2`,
          [job.id, lease, next],
        );
      } else await pool.query('delete from app.job where id = $1 and lease = $2', [job.id, lease]);
    } catch (error) {
      // The job's row could not be updated; it is claimed again after its lease.
      rest(error);
    }
  };

  const giveBack = async (claimed: readonly Job[]): Promise<void> => {
    await pool.query(
      'update app.job set lease = null, leased_until = null where lease = $1 and id = any($2)',
      [lease, claimed.map(({ id }) => id)],
    );
  };

  const look = async (): Promise<void> => {
    do {
      again = false;
      // During an outage, probe with one job at a time.
      const room = (away > 0 ? 1 : concurrency) - running.size;
      if (ending.signal.aborted || room <= 0) return;
      const { rows } = await pool.query<Job>({
        name: 'jobs-claim',
        text: CLAIM,
        values: [lease, room, kinds],
      });
      // Stopped meanwhile: release the claims, so that other processes need not wait for the leases.
      if (ending.signal.aborted) return giveBack(rows);
      for (const job of rows) {
        const done = work(job).finally(() => {
          running.delete(job.id);
          wake();
        });
        running.set(job.id, done);
      }
      again ||= rows.length === room;
    } while (again);
  };

  const wake = (): void => {
    if (ending.signal.aborted || performance.now() < restsUntil) return;
    again = true;
    looking ??= look()
      .catch(rest)
      .finally(() => {
        looking = undefined;
      });
  };

  const renew = (): void => {
    if (running.size === 0) return;
    pool
      .query(
        `update app.job set leased_until = now() + make_interval(secs => ${LEASE}) where lease = $1 and id = any($2)`,
        [lease, [...running.keys()]],
      )
      .catch(rest);
  };

  const timer = setInterval(wake, options.every ?? 500);
  const renewal = setInterval(renew, RENEW_EVERY);
  wake();

  return {
    wake,
    async stop() {
      ending.abort();
      clearInterval(timer);
      await looking;
      await Promise.all(running.values());
      clearInterval(renewal);
    },
  };
};

/** One job of its kind, which recurs; due now. */
export const keepJob = async (pool: Pool, kind: 'reconcile'): Promise<void> => {
  await addJobs(pool, [{ id: kind, kind, subject: kind, payload: {}, dueAt: new Date(0) }]);
  await pool.query('update app.job set due_at = least(due_at, now()) where id = $1', [kind]);
};
