/** Each event becomes jobs and mails exactly once, in the transaction of the checkpoint. Rebuilds do not run it. */
import type { Pool, PoolClient } from 'pg';
import { addJobs, dropJobs, lookAgain } from '#command-api/jobs/jobs.ts';
import { WORKING_TYPES, type WorkingEvent } from '#domain/all-events.ts';
import { eventsAfter } from '#infra/event-log/checkpoint.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type Batch, type EventLog, START } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Outbox } from '#infra/mail/mailer.ts';
import type { Leading } from '#infra/subscriptions/leader.ts';
import {
  checkpointOf,
  positionOf,
  type SubscriptionOptions,
  subscribe,
} from '#infra/subscriptions/subscription.ts';
import versions from '#versions.json' with { type: 'json' };
import { workOf } from './policies.ts';

type Subscription = SubscriptionOptions<Recorded<WorkingEvent>>;

export interface PoliciesOptions
  extends Partial<Pick<Subscription, 'lease' | 'program' | 'unreadable' | 'trouble'>> {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly pool: Pool;
  readonly outbox: Outbox;
  onJobs?(): void;
  onExpired?(holds: number): void;
}

export class OtherLogsCheckpoint extends CannotStart {
  override readonly name = 'OtherLogsCheckpoint';
  constructor(checkpointOf: string, log: string) {
    super(
      `The jobs of this database follow log ${checkpointOf}, but the log here is ${log}. ` +
        `After a log was copied on purpose: delete from app.subscription where name = 'jobs' (docs/operations/deployment.md, "Moving the log").`,
    );
  }
}

const NAME = 'jobs';
const PATIENCE = 60_000;
/**
 * Milliseconds after a batch, or after a large one (`RUSH`). Most purchases of a sale begin and end within
 * one batch, and need no job.
 */
const REST = 50;
const RUSH = { events: 50, rest: 200 };
/** Milliseconds until the checkpoint passes events without work: the deletion of an account waits for it. */
const EMPTY_EVERY = 200;

const restAfter = ({ events: { length } }: Batch): number => {
  if (length === 0) return 0;
  return length < RUSH.events ? REST : RUSH.rest;
};

/** An unreadable event blocks all later ones. */
export const policyLag = async (log: EventLog, pool: Pool): Promise<number> =>
  eventsAfter(log, await positionOf(pool, NAME), { types: WORKING_TYPES });

const demandOwnCheckpoint = async (pool: Pool, logId: string): Promise<void> => {
  const { rows } = await pool.query<{ log_id: string }>(
    `insert into app.subscription (name, log_id, position) values ($1, $2, $3)
     on conflict (name) do update set name = excluded.name returning log_id`,
    [NAME, logId, START],
  );
  const found = rows[0]?.log_id ?? logId;
  if (found !== logId) throw new OtherLogsCheckpoint(found, logId);
};

/** @throws OtherLogsCheckpoint */
export const runPolicies = async (options: PoliciesOptions): Promise<Leading> => {
  const { log, codec, pool, outbox } = options;
  await demandOwnCheckpoint(pool, log.id);

  const makeWork = async (events: readonly Recorded<WorkingEvent>[], transaction: PoolClient) => {
    const { jobs, mails, settled, placed, decided, expired } = workOf(events);
    await dropJobs(transaction, 'attempt', [...settled]);
    await addJobs(transaction, jobs);
    await lookAgain(transaction, [...decided]);
    await outbox.enqueue(mails, transaction);
    if (placed.length > 0)
      await transaction.query(
        `insert into app.account_booking (account_id, booking_id) select * from unnest($1::text[], $2::bigint[])
         on conflict do nothing`,
        [placed.map(({ userId }) => userId), placed.map(({ bookingId }) => bookingId)],
      );
    return () => {
      if (jobs.length > 0 || mails.length > 0 || decided.size > 0) options.onJobs?.();
      if (expired > 0) options.onExpired?.(expired);
    };
  };

  return subscribe({
    program: versions.jobs.version,
    unreadable: { wait: PATIENCE, fallback: 'park' },
    ...options,
    checkpoint: checkpointOf(NAME),
    types: () => WORKING_TYPES,
    rest: restAfter,
    emptyEvery: EMPTY_EVERY,
    decode: (events) => codec.decode<WorkingEvent>(events),
    handle: makeWork,
  });
};
