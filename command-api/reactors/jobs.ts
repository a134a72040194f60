/**
 * Jobs: work outside a request. A job is one row; any process claims what is due (`SKIP LOCKED`) for as long as it
 * renews its lease, on the database's clock. A job is done at least once: what it does is idempotent by domain ids.
 */
import type { Pool, PoolClient } from 'pg';
import type { CancellationWish } from '#domain/booking/cancellation.ts';
import type { AttemptKey } from '#domain/checkout/purchase.ts';
import type { MailKind } from '#infra/mail/mailer.ts';

/** The mails about a refund. */
export type RefundNotice = Extract<MailKind, 'refund-completed' | 'refund-denied'>;

/** A wish to cancel as a job carries it: all but the person's words, which only the log keeps, sealed. */
export type KeptWish = Omit<CancellationWish, 'reason'>;

/** What each kind of job is about. Ids only: nothing here names a person. */
export interface Payloads {
  /** Advances an attempt: hold expiry, closing, completion, whatever is missing. */
  readonly attempt: AttemptKey;
  /** The provider said something about an intent. */
  readonly intent: { readonly intentId: string };
  /** The provider said something about a refund of an intent. */
  readonly 'provider-refund': { readonly intentId: string };
  readonly cancellation: { readonly bookingId: number; readonly wish: KeptWish };
  /** Submits a refund and follows it until the provider has decided. */
  readonly refund: { readonly bookingId: number };
  /** Marks the booking once its refund is through, and tells its buyer. */
  readonly 'refund-notice': {
    readonly bookingId: number;
    readonly notice: RefundNotice;
    /** The event's id, and when the log took it. */
    readonly key: string;
    readonly since: string;
  };
  /** Closes sales, archives, cancels each booking. */
  readonly deletion: { readonly listingId: number };
  /** Compares provider and log. */
  readonly reconcile: Record<string, never>;
}

/** What kinds of work there are. */
export type JobKind = keyof Payloads;

/** A job to be made. The same id is made once, as long as its row lives. */
export type NewJob = {
  [Kind in JobKind]: {
    readonly id: string;
    readonly kind: Kind;
    readonly subject: string;
    readonly payload: Payloads[Kind];
    readonly dueAt: Date;
  };
}[JobKind];

/** A job that was claimed. `tries` counts the failed ones. */
export type Job = NewJob & { readonly tries: number };

type Connection = Pool | PoolClient;

/** Makes jobs in one statement; those that exist stay as they are. */
export const addJobs = async (connection: Connection, jobs: readonly NewJob[]): Promise<void> => {
  if (jobs.length === 0) return;
  await connection.query({
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
};

/** Removes the jobs of a kind that are no longer needed, in one statement. */
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

/** A job that keeps failing, for operators. */
export interface FailingJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly subject: string;
  readonly tries: number;
  readonly reason: string;
  readonly dueAt: Date;
}

/** From how many failures in a row a job is listed. */
export const LISTED_FROM = 5;

/** What keeps failing, with its reason, the most stubborn first. */
export const failingJobs = async (pool: Pool): Promise<readonly FailingJob[]> => {
  const { rows } = await pool.query<FailingJob>(
    `select id, kind, subject, tries, coalesce(last_error, '') as reason, due_at as "dueAt"
       from app.job where tries >= $1 order by tries desc, due_at limit 200`,
    [LISTED_FROM],
  );
  return rows;
};

/** What the job of a kind that there is one of failed with the last time, if it did; undefined once it has worked. */
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

/** Forgets webhooks that no provider sends again: they try for days, not for a month. Returns how many. */
export const sweepWebhooks = async (pool: Pool): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from app.webhook where received_at < now() - interval '30 days'`,
  );
  return rowCount ?? 0;
};
