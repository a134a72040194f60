/**
 * Keeps the live read models up to date: holds the lease, follows the log, and starts anew from the checkpoint
 * whenever anything fails. Of several projectors one works; another takes over within the lease's length.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, Position } from '#infra/event-log/event-log.ts';
import { READ_MODELS_CHANNEL, writeNotice } from '#infra/read-models/progress.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { CheckpointMoved, Engine, OtherLogsCheckpoint, OtherVersions } from './engine.ts';
import { messageOf } from './folding.ts';
import { type Changed, filterFor, type Projection } from './projection.ts';
import { quote } from './schema.ts';

/** What the runner tells its operator. */
export type RunnerNews =
  | { readonly kind: 'leading'; readonly from: Position }
  | { readonly kind: 'following' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly error: Error };

export interface RunnerOptions {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
  readonly schema?: string;
  /** Length of the lease in milliseconds: how soon another takes over after a kill. Default 3,000. */
  readonly lease?: number;
  /**
   * The shortest time from batch to batch in milliseconds while events keep coming. A batch costs much the same whatever
   * is in it, so under load a few larger ones leave more of the machine to the sale. Default 10.
   */
  readonly pace?: number;
  /** Events a batch at the most, when many wait. Default 5,000. */
  readonly pageSize?: number;
  onNews?(news: RunnerNews): void;
}

export interface Runner {
  /** How far this one has brought the read models; `''` while another leads. */
  position(): Position;
  /** Whether it holds the lease. */
  leads(): boolean;
  /** Finishes the batch at hand, gives the lease back and ends. */
  stop(): Promise<void>;
}

const FIRST_RETRY = 50;
const LAST_RETRY = 2_000;

const LISTING_TABLES = ['listing', 'inventory'] as const;

const listingsOf = (changed: Changed): number[] => [
  ...new Set(LISTING_TABLES.flatMap((table) => changed.get(table) ?? []).map(Number)),
];

/** Starts to run in the background. The read models' tables must be there (`createReadModels`). */
export const startRunner = (options: RunnerOptions): Runner => {
  const {
    pool,
    log,
    codec,
    projections,
    schema = LIVE,
    lease = 3_000,
    pageSize = 5_000,
    pace = 10,
    onNews,
  } = options;
  const filter = filterFor(projections);
  const holder = randomUUID();
  const stopping = new AbortController();
  const checkpoint = `${quote(schema)}.checkpoint`;
  let leading: Engine | undefined;

  const takeLease = async (): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `UPDATE ${checkpoint} SET holder = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
        WHERE holder = $1 OR holder IS NULL OR lease_until < clock_timestamp()`,
      [holder, lease],
    );
    return rowCount === 1;
  };

  const giveLeaseBack = async (): Promise<void> => {
    await pool.query(`UPDATE ${checkpoint} SET holder = NULL, lease_until = '-infinity' WHERE holder = $1`, [
      holder,
    ]);
  };

  /** Renews the lease until `over` aborts; aborts `lost` when it is gone. Failures count once the lease has run out. */
  const keepLease = async (over: AbortSignal, lost: AbortController): Promise<void> => {
    let held = performance.now();
    while (!over.aborted && !lost.signal.aborted) {
      await pause(lease / 3, undefined, { signal: over }).catch(() => undefined /* it is over */);
      if (over.aborted) return;
      const asked = performance.now();
      const kept = await takeLease().catch(() => undefined);
      if (kept === true) held = asked;
      else if (kept === false || performance.now() - held > lease) lost.abort();
    }
  };

  /** Tells who waits. One message is under way at a time; what comes meanwhile goes with the next. */
  const announcements = () => {
    let waiting: { position: Position; listings: Set<number> } | undefined;
    let sending: Promise<unknown> | undefined;
    const send = (): void => {
      if (waiting === undefined || sending !== undefined) return;
      const notice = writeNotice(waiting.position, [...waiting.listings]);
      waiting = undefined;
      sending = pool
        .query('SELECT pg_notify($1, $2)', [READ_MODELS_CHANNEL, notice])
        .catch(() => undefined /* who waits also looks for itself */)
        .finally(() => {
          sending = undefined;
          send();
        });
    };
    return (position: Position, changed: Changed): void => {
      const listings = waiting?.listings ?? new Set();
      for (const id of listingsOf(changed)) listings.add(id);
      waiting = { position, listings };
      send();
    };
  };

  const lead = async (): Promise<void> => {
    const lost = new AbortController();
    const over = new AbortController();
    const engine = new Engine({
      pool,
      schema,
      projections,
      codec,
      log,
      holder,
      onCommitted: announcements(),
    });
    const keeping = keepLease(over.signal, lost);
    try {
      await engine.open();
      leading = engine;
      onNews?.({ kind: 'leading', from: engine.position });
      const signal = AbortSignal.any([stopping.signal, lost.signal]);
      for await (const batch of log.subscribe(engine.position, { signal, pageSize, filter })) {
        const started = performance.now();
        await engine.apply(batch.events, batch.position);
        if (!batch.live) continue;
        await engine.settle();
        const rest = pace - (performance.now() - started);
        if (rest > 0) await pause(rest, undefined, { signal }).catch(() => undefined /* it is over */);
      }
      await engine.settle();
    } finally {
      leading = undefined;
      over.abort();
      await keeping;
    }
  };

  const run = async (): Promise<void> => {
    let wait = FIRST_RETRY;
    let following = false;
    while (!stopping.signal.aborted) {
      try {
        if (await takeLease()) {
          following = false;
          await lead();
          wait = FIRST_RETRY;
          continue;
        }
        if (!following) onNews?.({ kind: 'following' });
        following = true;
        wait = lease / 4;
      } catch (error) {
        if (error instanceof CheckpointMoved) {
          onNews?.({ kind: 'moved' });
          wait = FIRST_RETRY;
          continue;
        }
        onNews?.({ kind: 'failed', error: error instanceof Error ? error : new Error(messageOf(error)) });
        if (error instanceof OtherLogsCheckpoint || error instanceof OtherVersions) {
          // Not ours to lead: a rebuild, or a process of the other version, may be about to put it right.
          await giveLeaseBack().catch(() => undefined /* it runs out by itself */);
          wait = LAST_RETRY;
        } else wait = Math.min(wait * 2, LAST_RETRY);
      }
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined /* told to stop */);
    }
    await giveLeaseBack().catch(() => undefined /* it runs out by itself */);
  };

  const running = run();
  return {
    position: () => leading?.position ?? '',
    leads: () => leading !== undefined,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
