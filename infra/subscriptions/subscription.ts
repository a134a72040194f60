/**
 * A subscription: handles the log's events once each and in order, in the transaction that moves its checkpoint. One process at a time
 * does it, by a lease. The checkpoint is moved by compare-and-set, so that nothing is handled twice even if two processes believe
 * that they hold the lease.
 */
import type { Pool, PoolClient } from 'pg';
import { isUnreadable } from '#infra/event-log/codec.ts';
import {
  type Batch,
  type EventLog,
  type Position,
  type RecordedEvent,
  START,
} from '#infra/event-log/event-log.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { type FollowOptions, follow } from './follow.ts';
import { type Leading, type LeadingOptions, lead, leaseOn } from './leader.ts';
import { eachUnread, parkUnread, readAgain, type Unread, unpark } from './unread.ts';

/** The subscriptions whose checkpoints are in `app.subscription`. */
export type SubscriptionName = 'jobs' | 'webhooks';

/** The row that has a subscription's position and lease: the columns `log_id`, `position`, `holder`, `lease_until` and `version`. */
export interface Checkpoint {
  readonly table: string;
  /** Picks the row, in SQL. Default: the table's only row. */
  readonly row?: string;
}

export const checkpointOf = (name: SubscriptionName): Checkpoint => ({
  table: 'app.subscription',
  row: `name = '${name}'`,
});

/** A checkpoint as it was kept. */
export interface Kept {
  /** '' if the subscription has never begun. */
  readonly logId: string;
  readonly position: Position;
}

const keptAt = async (pool: Pool, { table, row = 'true' }: Checkpoint): Promise<Kept> => {
  const { rows } = await pool.query<Kept>(`SELECT log_id AS "logId", position FROM ${table} WHERE ${row}`);
  return rows[0] ?? { logId: '', position: START };
};

/** The position up to which a subscription has handled the log; `START` before the first event. */
export const positionOf = async (pool: Pool, name: SubscriptionName): Promise<Position> =>
  (await keptAt(pool, checkpointOf(name))).position;

export interface SubscriptionOptions<Item>
  extends LeadingOptions,
    Pick<FollowOptions, 'types' | 'changesTypes' | 'pageSize' | 'empty' | 'rest' | 'yields'> {
  readonly log: EventLog;
  readonly pool: Pool;
  readonly checkpoint: Checkpoint;
  /** The program's number: an older program leaves the log to a newer one. */
  readonly program: number;
  /** The length of the lease in milliseconds. Default 5,000. */
  readonly lease?: number;
  /** Where to begin whenever this process takes over. Default: at the checkpoint. */
  begin?(kept: Kept): Promise<Position>;
  /** Events, as the handler takes them. */
  decode(events: readonly RecordedEvent[]): Promise<readonly Item[]>;
  /**
   * What to do with an event that `decode` can't read. For `wait` milliseconds other processes have the chance to. Then it is parked, and
   * tried again whenever a process takes over; or it is passed over, which `fallback` hears of. Default: following fails.
   */
  readonly unreadable?: { readonly wait: number; readonly fallback: 'park' | ((unread: Unread) => void) };
  /** Handles events in the checkpoint's transaction. What it resolves to is called after the commit. */
  handle(items: readonly Item[], transaction: PoolClient): Promise<(() => void) | undefined>;
  /** Runs while this process follows the log. If either fails, both end. */
  beside?(signal: AbortSignal): Promise<void>;
}

/** Subscribes in the background, until it is stopped. The checkpoint's row must exist. */
export const subscribe = <Item>(options: SubscriptionOptions<Item>): Leading => {
  const { log, pool, checkpoint, program, lease: ms = 5_000, decode, unreadable } = options;
  const { table, row = 'true' } = checkpoint;
  const lease = leaseOn({ pool, table, row, ms, program });
  /** Since when this process can't read events, by their positions. */
  const unreadSince = new Map<Position, number>();

  const begin = async (): Promise<Position> => {
    const kept = await keptAt(pool, checkpoint);
    if (!options.begin) return kept.position;
    const position = await options.begin(kept);
    await pool.query(`UPDATE ${table} SET log_id = $1, position = $2 WHERE ${row} AND holder = $3`, [
      log.id,
      position,
      lease.holder,
    ]);
    return position;
  };

  /** Handles items in a transaction, if `claim` says that nobody else has. */
  const commit = async (
    items: readonly Item[],
    claim: (transaction: PoolClient) => Promise<boolean>,
  ): Promise<boolean> => {
    let committed: (() => void) | undefined;
    const claimed = await inTransaction(pool, async (transaction) => {
      if (!(await claim(transaction))) return false;
      committed = await options.handle(items, transaction);
      return true;
    });
    committed?.();
    return claimed;
  };

  /** Reads a batch up to its end, or to before an event that is left to another process for now: then `error` says why. */
  const read = async ({ events, position }: Batch, from: Position) => {
    const unread: Unread[] = [];
    try {
      return { items: await decode(events), unread, to: position };
    } catch (error) {
      if (!unreadable || !isUnreadable(error)) throw error;
    }
    const items: Item[] = [];
    let to = from;
    for (const event of events) {
      try {
        items.push(...(await decode([event])));
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        const since = unreadSince.get(event.position) ?? performance.now();
        unreadSince.set(event.position, since);
        if (performance.now() - since < unreadable.wait) return { items, unread, to, error };
        unread.push({ event, error });
      }
      to = event.position;
    }
    return { items, unread, to: position };
  };

  /** Handles a batch, and moves the checkpoint from `from`. Resolves to false if another process has moved it, and then changes nothing. */
  const handle = async (batch: Batch, from: Position): Promise<boolean> => {
    const { items, unread, to, error } = await read(batch, from);
    if (to !== from) {
      const moved = await commit(items, async (transaction) => {
        const { rowCount } = await transaction.query(
          `UPDATE ${table} SET position = $1 WHERE ${row} AND position = $2 AND holder = $3`,
          [to, from, lease.holder],
        );
        if (rowCount !== 1) return false;
        if (unreadable?.fallback === 'park') await parkUnread(transaction, unread);
        else for (const one of unread) unreadable?.fallback(one);
        return true;
      });
      if (!moved) return false;
    }
    if (error !== undefined) throw error;
    unreadSince.clear();
    return true;
  };

  /** Handles parked events that this process can read: it may be newer. */
  const retryParked = async (): Promise<void> => {
    for (const parked of await eachUnread(pool)) {
      const event = await readAgain(log, parked);
      const items = event && (await decode([event]).catch(() => undefined));
      if (items) await commit(items, (transaction) => unpark(transaction, parked.position));
    }
  };

  const work = async (held: AbortSignal, progressed: () => void): Promise<void> => {
    const end = new AbortController();
    const signal = AbortSignal.any([held, end.signal]);
    try {
      const from = await begin();
      if (unreadable?.fallback === 'park') await retryParked();
      const both = [follow({ ...options, from, signal, handle, progressed }), options.beside?.(signal)];
      await Promise.all(both.map((one) => one?.finally(() => end.abort())));
    } catch (error) {
      if (!held.aborted) throw error;
    }
  };

  return lead(lease, work, options);
};
