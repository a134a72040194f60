/**
 * Jobs: work outside requests. A job is a row of `app.job`. Any process may claim a job that is due (`SKIP LOCKED`), and keeps it while it
 * renews its lease, by the database's clock. A job is done at least once, so its work must be repeatable.
 */
import type { Pool, PoolClient } from 'pg';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import type { CancellationWish } from '#domain/processes/cancellation.ts';
import type { AttemptKey } from '#domain/processes/purchase.ts';
import type { MailKind } from '#infra/mail/mailer.ts';

/** The mails about a refund. */
export type RefundNotice = Extract<MailKind, 'refund-completed' | 'refund-denied'>;

/** A request to cancel as a job keeps it: without the person's reason, which is stored in the log only, sealed. */
type KeptWish = Omit<CancellationWish, 'reason'>;

/** The payload of each kind of job. It has ids only, and no personal data. */
export interface Payloads {
  /** Takes the missing steps of an attempt, such as closing it when its hold has expired. */
  readonly attempt: AttemptKey;
  /** Fetches an intent from the provider, and records its payment. */
  readonly intent: { readonly intentId: string };
  /** Fetches the refunds of an intent from the provider, and records them. */
  readonly 'provider-refund': { readonly intentId: string };
  /** Fetches the disputes of an intent from the provider, and records them. */
  readonly dispute: { readonly intentId: string };
  readonly cancellation: { readonly bookingId: number; readonly wish: KeptWish };
  /** Makes a booking valid again. `cancellation` is the number of the cancellation to undo. */
  readonly reinstatement: { readonly bookingId: number; readonly cancellation: number };
  /** Submits a refund to the provider, and asks about it until the provider has decided. */
  readonly refund: { readonly bookingId: number };
  /** Marks the booking as refunded if it is, and mails its buyer. */
  readonly 'refund-notice': {
    readonly bookingId: number;
    readonly notice: RefundNotice;
    /** The id of the event that asked for it, and when it was recorded. */
    readonly key: string;
    readonly since: string;
  };
  /** Deletes a listing: cancels its bookings. */
  readonly deletion: { readonly listingId: number };
  /** Mails the customers of a listing that its date, time or venue has changed. `change` is the command's id, `since` when it was. */
  readonly moved: { readonly listingId: number; readonly change: string; readonly since: string };
  /** Reminds the customers of a listing, while it starts at `startsAt`. */
  readonly reminder: { readonly listingId: number; readonly startsAt: string };
  /** Tells those who wait for tickets of a listing that there are some. */
  readonly waiting: { readonly listingId: number };
  /** Brings an account's sessions to its state. `before`: those that were opened before this instant end. */
  readonly sessions: { readonly accountId: string; readonly before?: string };
  /** Compares the provider with the log. */
  readonly reconcile: Record<string, never>;
}

/** The kinds of jobs. */
export type JobKind = keyof Payloads;

/** A new job. It is not added while there is a job with the same id. */
export type NewJob = {
  [Kind in JobKind]: {
    readonly id: string;
    readonly kind: Kind;
    readonly subject: string;
    readonly payload: Payloads[Kind];
    readonly dueAt: Date;
  };
}[JobKind];

/** A claimed job. `tries` is how often it has failed in a row. */
export type Job = NewJob & { readonly tries: number };

type Connection = Pool | PoolClient;

/** Adds jobs in one statement. Existing ones stay as they are. Returns how many are new. */
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

/** Deletes the jobs of a kind with these subjects, in one statement. */
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

/** A job that keeps failing, as operators see it. */
export interface FailingJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly subject: string;
  readonly tries: number;
  readonly reason: string;
  readonly dueAt: Date;
}

/** The jobs that keep failing, with the most failures first. */
export const failingJobs = async (pool: Pool): Promise<readonly FailingJob[]> => {
  const { rows } = await pool.query<FailingJob>(
    `select id, kind, subject, tries, coalesce(last_error, '') as reason, due_at as "dueAt"
       from app.job where tries >= $1 order by tries desc, due_at limit 200`,
    [LISTED_FROM],
  );
  return rows;
};

/** How the ids of the jobs begin that only a person can bring to an end. */
export const TO_DECIDE = 'to-decide:';

/** The id of the job that keeps failing until a person has decided something about a subject. There is one, however often it is found. */
export const toDecide = (kind: JobKind, subject: string): string => `${TO_DECIDE}${kind}:${subject}`;

/** What such a job fails with. To try it again soon changes nothing, and whoever has to decide was told when it was made. */
export class ToDecide extends Error {
  override readonly name = 'ToDecide';
}

/** How many such jobs of a kind there are. */
export const countToDecide = async (pool: Pool, kind: JobKind): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from app.job where kind = $1 and id = $2 || subject`,
    [kind, toDecide(kind, '')],
  );
  return rows[0]?.count ?? 0;
};

/** Has what was listed looked at again now, since somebody may have decided it. What is not listed is let be. */
export const lookAgain = async (connection: Connection, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await connection.query({
    name: 'jobs-look-again',
    text: 'update app.job set due_at = now() where id = any($1)',
    values: [ids],
  });
};

/** Makes a job that failed due now. Returns whether there is one. */
export const retryJob = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query('update app.job set due_at = now() where id = $1 and tries > 0', [
    id,
  ]);
  return rowCount === 1;
};

/** Why the only job of a kind failed the last time; undefined if it succeeded. */
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

/** Deletes webhooks that are older than 30 days, since no provider repeats one for so long. Returns how many. */
export const sweepWebhooks = async (pool: Pool): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from app.webhook where received_at < now() - interval '30 days'`,
  );
  return rowCount ?? 0;
};
