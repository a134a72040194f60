/**
 * The reactor follows the log, and turns each event into jobs and mails once, in one transaction with its checkpoint. One process at a
 * time does it, by a lease. The checkpoint is moved by compare-and-set, so that nothing is made twice even if two processes believe
 * that they hold the lease. Rebuilds of read models do not run it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { CannotStart } from '#infra/cannot-start.ts';
import { eventsAfter } from '#infra/event-log/checkpoint.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type Batch, type EventLog, type Position, START } from '#infra/event-log/event-log.ts';
import type { Outbox } from '#infra/mail/mailer.ts';
import { leaseOn } from '#infra/postgres/lease.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { addJobs, dropJobs } from './jobs.ts';
import { REACTING_TYPES, type Reacting, workOf } from './reactions.ts';

export interface ReactorOptions {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly pool: Pool;
  readonly outbox: Outbox;
  /** Called after a transaction that added jobs or mails. */
  onJobs?(): void;
  /** Called after a transaction with how many attempts were closed because they were not paid in time. */
  onExpired?(holds: number): void;
  /** Following the log was interrupted, for example because the database restarted. It starts again. */
  onError?(error: unknown): void;
}

/** Thrown if the checkpoint in the database belongs to another log. */
export class OtherLogsCheckpoint extends CannotStart {
  override readonly name = 'OtherLogsCheckpoint';
  constructor(checkpointOf: string, log: string) {
    super(
      `The jobs of this database follow log ${checkpointOf}, but the log here is ${log}. ` +
        'After a log was copied on purpose: delete from app.job_checkpoint (docs/operations.md, "Moving the log").',
    );
  }
}

/** Turns events into jobs and mails. If the process that does it dies, another one takes over. */
export interface Reactor {
  /** The position up to which the log has been turned into jobs. */
  position(): Promise<Position>;
  stop(): Promise<void>;
}

const NAME = 'jobs';
/** How long the lease is, in milliseconds. After a process was killed, the others wait for so long. */
const LEASE = 5_000;
const TRY_EVERY = 500;
/** How many milliseconds after the last batch a checkpoint without work is written. */
const IDLE = 100;
/** The longest time between two checkpoints while such batches come, in milliseconds. */
const LONGEST_UNWRITTEN = 500;

/** The position up to which the log has been turned into jobs; `START` before the first. */
export const reactedTo = async (pool: Pool): Promise<Position> => {
  const { rows } = await pool.query<{ position: Position }>(
    'select position from app.job_checkpoint where name = $1',
    [NAME],
  );
  return rows[0]?.position ?? START;
};

/** How many events have not been turned into jobs and mails yet. If one can't be read, all after it wait. */
export const reactorLag = async (log: EventLog, pool: Pool): Promise<number> =>
  eventsAfter(log, await reactedTo(pool), { types: REACTING_TYPES });

/** Makes the checkpoint, or checks that the existing one belongs to this log. */
const demandOwnCheckpoint = async (pool: Pool, logId: string): Promise<void> => {
  await pool.query(
    `insert into app.job_checkpoint (name, log_id, position) values ($1, $2, $3) on conflict (name) do nothing`,
    [NAME, logId, START],
  );
  const { rows } = await pool.query<{ log_id: string }>(
    'select log_id from app.job_checkpoint where name = $1',
    [NAME],
  );
  const found = rows[0]?.log_id ?? logId;
  if (found !== logId) throw new OtherLogsCheckpoint(found, logId);
};

/**
 * Starts the reactor in this process.
 * @throws OtherLogsCheckpoint
 */
export const startReactor = async (options: ReactorOptions): Promise<Reactor> => {
  const { log, codec, pool, outbox } = options;
  const lease = leaseOn({ pool, table: 'app.job_checkpoint', row: `name = '${NAME}'`, ms: LEASE });
  const ending = new AbortController();
  await demandOwnCheckpoint(pool, log.id);

  /** Turns a batch into work. Returns false if another process has moved the checkpoint, and then changes nothing. */
  const react = async (batch: Batch, from: Position): Promise<boolean> => {
    const recorded = await codec.decode<Reacting>(batch.events);
    const { jobs, mails, settled, placed, expired } = workOf(recorded);
    const moved = await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        'update app.job_checkpoint set position = $3 where name = $1 and holder = $2 and position = $4',
        [NAME, lease.holder, batch.position, from],
      );
      if (rowCount !== 1) return false;
      await dropJobs(client, 'attempt', [...settled]);
      await addJobs(client, jobs);
      await outbox.enqueue(mails, client);
      if (placed.length > 0) {
        await client.query(
          `insert into app.account_booking (account_id, booking_id) select * from unnest($1::text[], $2::bigint[])
           on conflict do nothing`,
          [placed.map(({ userId }) => userId), placed.map(({ bookingId }) => bookingId)],
        );
      }
      return true;
    });
    if (moved && (jobs.length > 0 || mails.length > 0)) options.onJobs?.();
    if (moved && expired > 0) options.onExpired?.(expired);
    return moved;
  };

  /** Follows the log while this process holds the lease. */
  const follow = async (signal: AbortSignal): Promise<void> => {
    try {
      const from = await reactedTo(pool);
      const batches = log
        .subscribe(from, { filter: { types: REACTING_TYPES }, signal })
        [Symbol.asyncIterator]();
      let at = from;
      /** The position after the last batch. If that had no work, it is written with the next work, or after a pause. */
      let looked = from;
      let written = Date.now();
      let next = batches.next();
      for (;;) {
        const got =
          looked === at ? await next : await Promise.race([next, pause(IDLE, undefined, { signal })]);
        if (got?.done) return;
        const batch = got?.value ?? { events: [], position: looked, live: true };
        if (got && batch.events.length === 0 && Date.now() - written < LONGEST_UNWRITTEN)
          looked = batch.position;
        else if (!(await react(batch, at))) return;
        else {
          at = looked = batch.position;
          written = Date.now();
        }
        if (got) next = batches.next();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await lease.hold(ending.signal, follow);
      } catch (error) {
        options.onError?.(error);
      }
      await pause(TRY_EVERY, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    position: () => reactedTo(pool),
    async stop() {
      ending.abort();
      await running;
      // The next process does not have to wait until the lease ends.
      await lease.giveBack();
    },
  };
};
