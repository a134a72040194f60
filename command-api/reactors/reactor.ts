/**
 * The reactor follows the log, and turns each event into jobs and mails once, in one transaction with its checkpoint. One process at a
 * time does it, by a lease. The checkpoint is moved by compare-and-set, so that nothing is made twice even if two processes believe
 * that they hold the lease. Rebuilds of read models do not run it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { addJobs, dropJobs, lookAgain } from '#command-api/jobs/jobs.ts';
import { WORKING_TYPES, type WorkingEvent } from '#domain/all-events.ts';
import { eventsAfter } from '#infra/event-log/checkpoint.ts';
import { type Codec, isUnreadable } from '#infra/event-log/codec.ts';
import {
  type Batch,
  type EventLog,
  type Position,
  type RecordedEvent,
  START,
} from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Outbox } from '#infra/mail/mailer.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { type LeadingOptions, lead, leaseOn } from '#infra/subscriptions/leader.ts';
import { positionOf } from '#infra/subscriptions/subscription.ts';
import { eachUnread, parkUnread, readAgain, type Unread } from '#infra/subscriptions/unread.ts';
import versions from '#versions.json' with { type: 'json' };
import { workOf } from './reactions.ts';

export interface ReactorOptions {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly pool: Pool;
  readonly outbox: Outbox;
  /** Called after a transaction that added jobs or mails. */
  onJobs?(): void;
  /** Called after a transaction with how many attempts were closed because they were not paid in time. */
  onExpired?(holds: number): void;
  /** Hears where following the log was interrupted, for example because the database restarted, and when it goes on. */
  readonly trouble?: LeadingOptions['trouble'];
  /** For how many milliseconds other processes have the chance to read an event that this one can't. Default 60,000. */
  readonly patience?: number;
  /** How long the lease is, in milliseconds. After a process was killed, the others wait for so long. Default 5,000. */
  readonly lease?: number;
  /** Which of two programs is newer. Default: as in `versions.json`. */
  readonly version?: number;
}

/** Thrown if the checkpoint in the database belongs to another log. */
export class OtherLogsCheckpoint extends CannotStart {
  override readonly name = 'OtherLogsCheckpoint';
  constructor(checkpointOf: string, log: string) {
    super(
      `The jobs of this database follow log ${checkpointOf}, but the log here is ${log}. ` +
        `After a log was copied on purpose: delete from app.subscription where name = 'jobs' (docs/operations.md, "Moving the log").`,
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
const LEASE = 5_000;
/** How long an event that this process can't read is left to others. */
const PATIENCE = 60_000;
/**
 * A batch costs nearly the same whether it is small or large: they come no faster than that, in milliseconds, and slower after one of so
 * many events. Of most purchases of a sale the beginning and the end are then in one batch, and their job is never written.
 */
const PACE = 50;
const RUSH = { events: 50, pace: 200 };
/** How many milliseconds after the last batch a checkpoint without work is written. */
const IDLE = 100;
/** The longest time between two checkpoints while such batches come, in milliseconds. */
const LONGEST_UNWRITTEN = 500;

/** How many events have not been turned into jobs and mails yet. If one can't be read, all after it wait. */
export const reactorLag = async (log: EventLog, pool: Pool): Promise<number> =>
  eventsAfter(log, await positionOf(pool, NAME), { types: WORKING_TYPES });

/** Makes the checkpoint, or checks that the existing one belongs to this log. */
const demandOwnCheckpoint = async (pool: Pool, logId: string): Promise<void> => {
  await pool.query(
    `insert into app.subscription (name, log_id, position) values ($1, $2, $3) on conflict (name) do nothing`,
    [NAME, logId, START],
  );
  const { rows } = await pool.query<{ log_id: string }>(
    'select log_id from app.subscription where name = $1',
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
  const { log, codec, pool, outbox, patience = PATIENCE } = options;
  const lease = leaseOn({
    pool,
    table: 'app.subscription',
    row: `name = '${NAME}'`,
    ms: options.lease ?? LEASE,
    program: options.version ?? versions.jobs.version,
  });
  await demandOwnCheckpoint(pool, log.id);

  /** Since when this process can't read events, by their positions. */
  const unreadSince = new Map<Position, number>();

  /** Makes work of events in a transaction, if `claim` says that nobody else has. */
  const makeWork = async (
    recorded: readonly Recorded<WorkingEvent>[],
    claim: (client: PoolClient) => Promise<boolean>,
  ): Promise<boolean> => {
    const { jobs, mails, settled, placed, decided, expired } = workOf(recorded);
    const claimed = await inTransaction(pool, async (client) => {
      if (!(await claim(client))) return false;
      await dropJobs(client, 'attempt', [...settled]);
      await addJobs(client, jobs);
      await lookAgain(client, [...decided]);
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
    if (claimed && (jobs.length > 0 || mails.length > 0 || decided.size > 0)) options.onJobs?.();
    if (claimed && expired > 0) options.onExpired?.(expired);
    return claimed;
  };

  /**
   * Reads the events of a batch. It stops at one that this process can't read, so that another can, and leaves that out once nobody
   * has read it for long enough.
   */
  const read = async (events: readonly RecordedEvent[]) => {
    const recorded: Recorded<WorkingEvent>[] = [];
    const unread: Unread[] = [];
    try {
      recorded.push(...(await codec.decode<WorkingEvent>(events)));
      return { recorded, unread };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    let before: Position | undefined;
    for (const event of events) {
      try {
        recorded.push(...(await codec.decode<WorkingEvent>([event])));
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        const since = unreadSince.get(event.position) ?? performance.now();
        unreadSince.set(event.position, since);
        if (performance.now() - since < patience) return { recorded, unread, before, error };
        unread.push({ event, error });
      }
      before = event.position;
    }
    return { recorded, unread };
  };

  /** Turns a batch into work. Returns false if another process has moved the checkpoint, and then changes nothing. */
  const react = async (batch: Batch, from: Position): Promise<boolean> => {
    const { recorded, unread, before, error } = await read(batch.events);
    const to = error === undefined ? batch.position : before;
    if (to !== undefined) {
      const moved = await makeWork(recorded, async (client) => {
        const { rowCount } = await client.query(
          'update app.subscription set position = $3 where name = $1 and holder = $2 and position = $4',
          [NAME, lease.holder, to, from],
        );
        if (rowCount === 1) await parkUnread(client, unread);
        return rowCount === 1;
      });
      if (!moved) return false;
    }
    if (error !== undefined) throw error;
    unreadSince.clear();
    return true;
  };

  /** Makes work of what nobody could read so far, and this process can: it may be newer. */
  const catchUp = async (): Promise<void> => {
    for (const kept of await eachUnread(pool)) {
      const event = await readAgain(log, kept);
      const recorded = event && (await codec.decode<WorkingEvent>([event]).catch(() => undefined));
      if (!recorded) continue;
      await makeWork(recorded, async (client) => {
        const { rowCount } = await client.query('delete from app.unread_event where position = $1', [
          kept.position,
        ]);
        return rowCount === 1;
      });
    }
  };

  /** Follows the log while this process holds the lease. */
  const follow = async (signal: AbortSignal, well: () => void): Promise<void> => {
    try {
      await catchUp();
      const from = await positionOf(pool, NAME);
      const batches = log
        .subscribe(from, { filter: { types: WORKING_TYPES }, signal })
        [Symbol.asyncIterator]();
      let at = from;
      /** The position after the last batch. If that had no work, it is written with the next work, or after a pause. */
      let looked = from;
      let written = performance.now();
      let next = batches.next();
      for (;;) {
        const got =
          looked === at ? await next : await Promise.race([next, pause(IDLE, undefined, { signal })]);
        if (got?.done) return;
        const batch = got?.value ?? { events: [], position: looked, live: true };
        if (got && batch.events.length === 0 && performance.now() - written < LONGEST_UNWRITTEN)
          looked = batch.position;
        else if (!(await react(batch, at))) return;
        else {
          well();
          at = looked = batch.position;
          written = performance.now();
          const { length } = batch.events;
          if (batch.live && length > 0)
            await pause(length < RUSH.events ? PACE : RUSH.pace, undefined, { signal });
        }
        if (got) next = batches.next();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  const { trouble } = options;
  const { stop } = lead(lease, follow, trouble && { trouble });
  return { position: () => positionOf(pool, NAME), stop };
};
