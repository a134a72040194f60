import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import { backOff, type Trouble } from '#infra/lib/outage.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import { type Failed, type Queue, runQueue } from '#infra/queue/queue.ts';
import { type Job, type JobKind, TO_DECIDE, ToDecide } from './jobs.ts';

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
  readonly trouble?: Trouble;
}

/** Seconds, by the database's clock; also the delay until a killed process's jobs are retried. */
const LEASE = 15;
const LEASED_UNTIL = `now() + make_interval(secs => ${LEASE})`;
const FREE = 'lease = null, leased_until = null';
const IS_TO_DECIDE = `starts_with(id, '${TO_DECIDE}')`;

const due = (which: string, most: string): string => `
  select id from app.job
   where due_at <= now() and (leased_until is null or leased_until < now()) and kind = any($3) and ${which}
   order by due_at limit ${most} for update skip locked`;

/** Jobs that need a person (thousands after a restore) must not delay the others. */
const CLAIM = `
  with first as (${due(`not ${IS_TO_DECIDE}`, '$2')}),
    others as (${due(IS_TO_DECIDE, '$2 - (select count(*) from first)')})
  update app.job set lease = $1, leased_until = ${LEASED_UNTIL}
   where id in (select id from first union all select id from others)
  returning id, kind, subject, payload, due_at as "dueAt", tries`;

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;
const PATIENT_FOR = 30;
const GIVE_IT_A_REST = 5 * 60_000;

/** Backoff in milliseconds. Jobs that need a person are retried rarely from the start. */
export const waitAfter = (tries: number, listed = false): number =>
  listed || tries > PATIENT_FOR
    ? backOff(0, GIVE_IT_A_REST, GIVE_IT_A_REST)
    : backOff(tries, FIRST_WAIT, LONGEST_WAIT);

const reasonOf = (error: unknown): string =>
  keepable((error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500));

/** Each job runs in one process at a time. Kinds that only a newer program knows are left to it. */
export const startWorker = ({ pool, handlers, ...options }: WorkerOptions): Queue => {
  const kinds = Object.keys(handlers);
  const lease = randomUUID();
  const change = (jobs: readonly Job[], sql: string, ...values: unknown[]) =>
    pool.query(`${sql} where id = any($1) and lease = $2`, [jobs.map(({ id }) => id), lease, ...values]);

  return runQueue<Job, 'done' | { readonly again: Date } | Failed>({
    concurrency: 8,
    every: 500,
    ...options,

    async claim(room) {
      const values = [lease, room, kinds];
      return (await pool.query<Job>({ name: 'jobs-claim', text: CLAIM, values })).rows;
    },
    renew: (jobs) => change(jobs, `update app.job set leased_until = ${LEASED_UNTIL}`),
    giveBack: (jobs) => change(jobs, `update app.job set ${FREE}`),

    async handle(job, ending) {
      const handler = handlers[job.kind] as Handler<JobKind>;
      try {
        const again = await handler(job, ending);
        return again ? { again } : 'done';
      } catch (failed) {
        return failed instanceof ToDecide ? { failed, listed: true } : { failed };
      }
    },

    settle(job, outcome) {
      if (outcome === 'done') return change([job], 'delete from app.job');
      if ('again' in outcome)
        return change(
          [job],
          `update app.job set tries = 0, last_error = null, due_at = $3, ${FREE}`,
          outcome.again,
        );
      const { failed, listed } = outcome;
      return change(
        [job],
        // Keep a due time set meanwhile by others. A JavaScript Date has no microseconds.
        `update app.job set tries = greatest(tries + 1, $5), last_error = $3,
           due_at = case when due_at > $6::timestamptz + interval '1 millisecond' then due_at
                         else now() + $4 * interval '1 millisecond' end, ${FREE}`,
        reasonOf(failed),
        waitAfter(job.tries, listed),
        // Listed after the first failure.
        listed ? LISTED_FROM : 0,
        job.dueAt,
      );
    },
  });
};
