/**
 * Handles events exactly once and in order, in the checkpoint's transaction. One process at a time, by a
 * lease; the checkpoint moves by compare-and-set, so two presumed holders handle nothing twice.
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
import { follow, type Reading } from './follow.ts';
import { type Leading, type LeadingOptions, lead, leaseOn } from './leader.ts';
import { eachUnread, parkUnread, readAgain, type Unread, unpark } from './unread.ts';

export type SubscriptionName = 'jobs' | 'webhooks';

/** A row with the columns `log_id`, `position`, `holder`, `lease_until` and `version`. */
export interface Checkpoint {
  readonly table: string;
  readonly row?: string;
}

export const checkpointOf = (name: SubscriptionName): Checkpoint => ({
  table: 'app.subscription',
  row: `name = '${name}'`,
});

export interface Kept {
  readonly logId: string;
  readonly position: Position;
}

const keptAt = async (pool: Pool, { table, row = 'true' }: Checkpoint): Promise<Kept> => {
  const { rows } = await pool.query<Kept>(`SELECT log_id AS "logId", position FROM ${table} WHERE ${row}`);
  return rows[0] ?? { logId: '', position: START };
};

/** `START` before the first event. */
export const positionOf = async (pool: Pool, name: SubscriptionName): Promise<Position> =>
  (await keptAt(pool, checkpointOf(name))).position;

export interface SubscriptionOptions<Item> extends Reading, LeadingOptions {
  readonly log: EventLog;
  readonly pool: Pool;
  readonly checkpoint: Checkpoint;
  /** Program version: an older program yields to a newer one. */
  readonly program: number;
  readonly lease?: number;
  /** Called on each takeover. Default: start at the checkpoint. */
  begin?(kept: Kept): Promise<Position>;
  decode(events: readonly RecordedEvent[]): Promise<readonly Item[]>;
  /**
   * Other processes get `wait` milliseconds to read the event; then it is parked and retried on each
   * takeover, or skipped and passed to `fallback`. Default: following fails.
   */
  readonly unreadable?: { readonly wait: number; readonly fallback: 'park' | ((unread: Unread) => void) };
  /** Runs in the checkpoint's transaction. The resolved function is called after the commit. */
  handle(items: readonly Item[], transaction: PoolClient): Promise<(() => void) | undefined>;
  /** Runs while this process follows the log. If either fails, both end. */
  beside?(signal: AbortSignal): Promise<void>;
}

/** The checkpoint's row must exist. */
export const subscribe = <Item>(options: SubscriptionOptions<Item>): Leading => {
  const { log, pool, checkpoint, program, lease: ms = 5_000, decode, unreadable } = options;
  const { table, row = 'true' } = checkpoint;
  const fallback = unreadable?.fallback;
  const lease = leaseOn({ pool, table, row, ms, program });
  /** The event that this process can't read, and since when. */
  let leftToOthers: { readonly position: Position; readonly since: number } | undefined;

  const begin = async (): Promise<Position> => {
    const kept = await keptAt(pool, checkpoint);
    if (!options.begin) return kept.position;
    const position = await options.begin(kept);
    const values = [log.id, position, lease.holder];
    await pool.query(`UPDATE ${table} SET log_id = $1, position = $2 WHERE ${row} AND holder = $3`, values);
    return position;
  };

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

  /** Handles a batch, and moves the checkpoint. Resolves to false if another process has moved it, and then changes nothing. */
  const handle = async ({ events, position }: Omit<Batch, 'live'>, from: Position): Promise<boolean> => {
    if (position === from) return true;
    let items: readonly Item[] = [];
    let unread: Unread | undefined;
    try {
      items = await decode(events);
    } catch (error) {
      const [event, ...others] = events;
      if (!event || !unreadable || !isUnreadable(error)) throw error;
      if (others.length > 0) {
        const middle = events.length >> 1;
        const at = events[middle - 1]?.position ?? from;
        const first = await handle({ events: events.slice(0, middle), position: at }, from);
        return first && handle({ events: events.slice(middle), position }, at);
      }
      if (leftToOthers?.position !== event.position)
        leftToOthers = { position: event.position, since: performance.now() };
      if (performance.now() - leftToOthers.since < unreadable.wait) throw error;
      unread = { event, error };
    }
    return commit(items, async (transaction) => {
      const values = [position, from, lease.holder];
      const text = `UPDATE ${table} SET position = $1 WHERE ${row} AND position = $2 AND holder = $3`;
      if ((await transaction.query(text, values)).rowCount !== 1) return false;
      if (unread && fallback === 'park') await parkUnread(transaction, unread);
      if (unread && fallback !== 'park') fallback?.(unread);
      return true;
    });
  };

  /** Retries parked events: this process may be newer. */
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
      if (fallback === 'park') await retryParked();
      const following = follow({
        ...options,
        from,
        signal,
        async handle(batch, after) {
          const isOurs = await handle(batch, after);
          if (isOurs) progressed();
          return isOurs;
        },
      });
      const both = [following, options.beside?.(signal)];
      await Promise.all(both.map((one) => one?.finally(() => end.abort())));
    } catch (error) {
      if (!held.aborted) throw error;
    }
  };

  return lead(lease, work, options);
};
