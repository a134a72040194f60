/**
 * Jobs are rows of `app.job`, claimed with `SKIP LOCKED` under a lease by the database's clock. At least
 * once: handlers must be idempotent.
 */
import type { Pool, PoolClient } from 'pg';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import type { CancellationRequest } from '#domain/processes/cancellation.ts';
import type { AttemptKey } from '#domain/processes/purchase.ts';
import type { MailKind } from '#infra/mail/mailer.ts';

export type RefundNotice = Extract<MailKind, 'refund-completed' | 'refund-denied'>;

type KeptRequest = Omit<CancellationRequest, 'reason'>;

export interface Payloads {
  readonly attempt: AttemptKey;
  readonly intent: { readonly intentId: string };
  readonly 'provider-refund': { readonly intentId: string };
  readonly dispute: { readonly intentId: string };
  readonly cancellation: { readonly bookingId: number; readonly wish: KeptRequest };
  readonly reinstatement: { readonly bookingId: number; readonly cancellation: number };
  readonly refund: { readonly bookingId: number };
  readonly 'refund-notice': {
    readonly bookingId: number;
    readonly notice: RefundNotice;
    readonly key: string;
    readonly since: string;
  };
  readonly deletion: { readonly listingId: number };
  readonly moved: { readonly listingId: number; readonly change: string; readonly since: string };
  readonly reminder: { readonly listingId: number; readonly startsAt: string };
  readonly waiting: { readonly listingId: number };
  readonly sessions: { readonly accountId: string; readonly before?: string };
  readonly reconcile: Record<string, never>;
}

export type JobKind = keyof Payloads;

/** Not added while a job with the same id exists. */
export type NewJob = {
  [Kind in JobKind]: {
    readonly id: string;
    readonly kind: Kind;
    readonly subject: string;
    readonly payload: Payloads[Kind];
    readonly dueAt: Date;
  };
}[JobKind];

export type Job = NewJob & { readonly tries: number };

type Connection = Pool | PoolClient;

export const addJobs = async (connection: Connection, jobs: readonly NewJob[]): Promise<number> => {
  if (jobs.length === 0) return 0;
  const { rowCount } = await connection.query({
    name: 'jobs-add',
    text: `insert into app.job (id, kind, subject, payload, due_at)
           select * from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
           on conflict (id) do nothing`,
    values: [
      jobs.map((job) => job.id),
      jobs.map((job) => job.kind),
      jobs.map((job) => job.subject),
      jobs.map((job) => JSON.stringify(job.payload)),
      jobs.map((job) => job.dueAt),
    ],
  });
  return rowCount ?? 0;
};

/** One job of its kind, which recurs; due now. */
export const keepJob = async (pool: Pool, kind: 'reconcile'): Promise<void> => {
  await addJobs(pool, [{ id: kind, kind, subject: kind, payload: {}, dueAt: new Date(0) }]);
  await pool.query('update app.job set due_at = least(due_at, now()) where id = $1', [kind]);
};

export const dropJobs = async (
  connection: Connection,
  kind: JobKind,
  subjects: readonly string[],
): Promise<void> => {
  if (subjects.length === 0) return;
  await connection.query({
    name: 'jobs-drop',
    text: 'delete from app.job where kind = $1 and subject = any($2)',
    values: [kind, subjects],
  });
};

export interface FailingJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly subject: string;
  readonly tries: number;
  readonly reason: string;
  readonly dueAt: Date;
}

export const failingJobs = async (pool: Pool): Promise<readonly FailingJob[]> => {
  const { rows } = await pool.query<FailingJob>(
    `select id, kind, subject, tries, coalesce(last_error, '') as reason, due_at as "dueAt"
       from app.job where tries >= $1 order by tries desc, due_at limit 200`,
    [LISTED_FROM],
  );
  return rows;
};

export const TO_DECIDE = 'to-decide:';

/** One job per kind and subject, however often it is found. */
export const toDecide = (kind: JobKind, subject: string): string => `${TO_DECIDE}${kind}:${subject}`;

/** Waits for a person, who was notified on creation: retrying soon is pointless. */
export class ToDecide extends Error {
  override readonly name = 'ToDecide';
}

export const countToDecide = async (pool: Pool, kind: JobKind): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from app.job where kind = $1 and id = $2 || subject`,
    [kind, toDecide(kind, '')],
  );
  return rows[0]?.count ?? 0;
};

/** Makes the listed jobs due now, since they may have been decided. Unlisted jobs are unchanged. */
export const lookAgain = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await connection.query({
    name: 'jobs-look-again',
    text: 'update app.job set due_at = now() where id = any($1)',
    values: [ids],
  });
};

export const retryJob = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query('update app.job set due_at = now() where id = $1 and tries > 0', [
    id,
  ]);
  return rowCount === 1;
};

export const lastFailureOf = async (
  pool: Pool,
  kind: JobKind,
): Promise<{ readonly tries: number; readonly reason: string } | undefined> => {
  const { rows } = await pool.query<{ tries: number; reason: string }>(
    `select tries, coalesce(last_error, '') as reason from app.job where kind = $1 and tries > 0 limit 1`,
    [kind],
  );
  return rows[0];
};

/** Deletes webhooks older than 30 days: no provider repeats one for so long. */
export const sweepWebhooks = async (pool: Pool): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from app.webhook where received_at < now() - interval '30 days'`,
  );
  return rowCount ?? 0;
};
