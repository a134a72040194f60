import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import { backOff, isPassing, type Trouble } from '#infra/lib/outage.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import { addJobs, type Job, type JobKind, TO_DECIDE, ToDecide } from './jobs.ts';

/**
 * Does a job. Resolves to when the job is due again, or to undefined if it is done. If it throws, the job is tried again later. `ending`
 * is aborted when the worker is to stop: work that takes long then leaves the rest for the next time, which is due at once.
 */
export type Handler<Kind extends JobKind> = (
  job: Extract<Job, { readonly kind: Kind }>,
  ending: AbortSignal,
) => Promise<Date | undefined>;
/** A handler for each kind of job. */
export type Handlers = { readonly [Kind in JobKind]: Handler<Kind> };

export interface WorkerOptions {
  readonly pool: Pool;
  readonly handlers: Handlers;
  /** How many jobs are done at once. Default 8. */
  readonly concurrency?: number;
  /** After how many milliseconds due jobs are looked for if nobody wakes the worker. Default 500. */
  readonly every?: number;
  /** A job failed for a reason of its own. */
  onFailure?(job: Job, error: unknown): void;
  /** What everything needs is away, such as the database or the payment provider. The worker goes on, slower and slower. */
  readonly trouble?: Trouble;
}

/**
 * Does due jobs, several at once. If there are several processes, each job is done by one of them. A kind that only a newer program knows
 * is left to that one.
 */
export interface Worker {
  /** Looks for due jobs at once. */
  wake(): void;
  /** Starts no more jobs, tells the present ones to come to an end, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** How many seconds a claim lasts without being renewed. The jobs of a killed process wait for so long. */
const LEASE = 15;
const RENEW_EVERY = 4_000;

/** Picks due jobs of the kinds `$3`, those that are due for longest first. */
const due = (which: string, most: string): string => `
  select id from app.job
   where due_at <= now() and (leased_until is null or leased_until < now()) and kind = any($3) and ${which}
   order by due_at limit ${most} for update skip locked`;
const IS_TO_DECIDE = `starts_with(id, '${TO_DECIDE}')`;

/** After a restore there may be thousands that only a person can decide. Nothing that gets on by itself waits for them. */
const CLAIM = `
  with first as (${due(`not ${IS_TO_DECIDE}`, '$2')}),
    others as (${due(IS_TO_DECIDE, '$2 - (select count(*) from first)')})
  update app.job set lease = $1, leased_until = now() + make_interval(secs => ${LEASE})
   where id in (select id from first union all select id from others)
  returning id, kind, subject, payload, due_at as "dueAt", tries`;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;
/** After so many failures a job is tried rarely. */
const PATIENT_FOR = 30;
const GIVE_IT_A_REST = 5 * 60_000;

/**
 * How many milliseconds a job waits that had failed so many times in a row before; up to half less, by chance. One that a person has to
 * decide is tried rarely from the first time on.
 */
export const waitAfter = (tries: number, error?: unknown): number =>
  tries > PATIENT_FOR || error instanceof ToDecide
    ? backOff(0, GIVE_IT_A_REST, GIVE_IT_A_REST)
    : backOff(tries, FIRST_WAIT, LONGEST_WAIT);

const reasonOf = (error: unknown): string =>
  keepable((error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500));

/** Starts a worker in this process. */
export const startWorker = (options: WorkerOptions): Worker => {
  const { pool, handlers, concurrency = 8, trouble } = options;
  const kinds = Object.keys(handlers);
  const lease = randomUUID();
  const running = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let looking: Promise<void> | undefined;
  let again = false;
  /** How often in a row something failed because what everything needs is away, and until when no job is looked for. */
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
    // The handler of this kind takes the payload of this kind.
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
          // Whoever has made it due meanwhile wants it tried once more. A date holds no microseconds.
          `update app.job set tries = greatest(tries + 1, $5), last_error = $3,
                due_at = case when due_at > $6::timestamptz + interval '1 millisecond' then due_at
                              else now() + $4 * interval '1 millisecond' end,
                lease = null, leased_until = null
            where id = $1 and lease = $2`,
          // What a person has to decide is listed at once: the same answer four times more tells nothing.
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
      // The job's row could not be changed. After its lease has ended, the job is claimed again.
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
      // While it fails, one job at a time finds out whether it works again.
      const room = (away > 0 ? 1 : concurrency) - running.size;
      if (ending.signal.aborted || room <= 0) return;
      const { rows } = await pool.query<Job>({
        name: 'jobs-claim',
        text: CLAIM,
        values: [lease, room, kinds],
      });
      // It was told to end meanwhile. Who comes next need not wait for the leases' end.
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

/** Adds the one job of its kind, which always comes back, and makes it due now. */
export const keepJob = async (pool: Pool, kind: 'reconcile'): Promise<void> => {
  await addJobs(pool, [{ id: kind, kind, subject: kind, payload: {}, dueAt: new Date(0) }]);
  await pool.query('update app.job set due_at = least(due_at, now()) where id = $1', [kind]);
};
