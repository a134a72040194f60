/**
 * Appends events to the Merkle tree in order, signs checkpoints, and verifies the log nightly and on
 * request. One process at a time. On a mismatch it stops signing; sales continue.
 */
import type pg from 'pg';
import type { Finding } from '#domain/contracts/log-proofs.ts';
import { consistencyRanges, openCheckpoint, provesConsistency, sayFindings } from '#domain/proof/proof.ts';
import {
  BeyondTheEnd,
  type EventLog,
  type Position,
  type RecordedEvent,
} from '#infra/event-log/event-log.ts';
import { pause } from '#infra/lib/outage.ts';
import {
  addRun,
  adoptLog,
  type CheckpointSigner,
  type HashedSubtree,
  hashesIn,
  hashesOfRanges,
  leafHash,
  leavesOf,
  loadFrontier,
  nameOf,
  newestCheckpoint,
  readTree,
  TornTree,
} from '#infra/proof/proof.ts';
import {
  askForCheck,
  COMPARE_LOG,
  type Progress,
  runOperation,
  takeOperation,
} from '#infra/queue/operations.ts';
import { type LeadingOptions, lead, leaseOn } from '#infra/subscriptions/leader.ts';

export type SequencerNews = { readonly kind: 'broken'; readonly why: string } | { readonly kind: 'mended' };

export interface SequencerOptions {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly signer: CheckpointSigner;
  readonly origin: string;
  recheck(
    signal: AbortSignal,
    say: (compared: number) => void,
  ): Promise<{ readonly size: number; readonly findings: readonly Finding[] }>;
  readonly lease?: number;
  /** Minimum interval of checkpoints, in milliseconds. Default 1,000. */
  readonly signEvery?: number;
  onNews?(news: SequencerNews): void;
  trouble?(task: string): NonNullable<LeadingOptions['trouble']>;
}

export interface Sequencer {
  stop(): Promise<void>;
}

/** Minimum interval in milliseconds: a run's cost hardly depends on its length. */
const PACE = 200;
const PAGE = 1_000;
const RETRY = 1_000;
const REMEMBERED = 1_000;
/** Hour (UTC) of the nightly verification. */
const NIGHT_HOUR = 3;
/** Days all checkpoints are kept; then the last of each hour. */
const KEEP_ALL_DAYS = 30;

class LostTree extends Error {
  override readonly name = 'LostTree';
}

class BrokenLog extends Error {
  override readonly name = 'BrokenLog';
}

export const startSequencer = (options: SequencerOptions): Sequencer => {
  const { pool, log, signer, origin, lease: leaseMs = 5_000, signEvery = 1_000, onNews } = options;
  const lease = leaseOn({ pool, table: 'app.tree', ms: leaseMs });
  const { holder } = lease;

  const markBroken = async (why: string, known: 'stays' | 'is replaced' = 'stays'): Promise<void> => {
    const { rowCount } = await pool.query(
      `UPDATE app.tree SET broken = $2, broken_at = coalesce(broken_at, clock_timestamp())
        WHERE holder = $1 AND broken IS DISTINCT FROM $2 AND (broken IS NULL OR $3)`,
      [holder, why, known === 'is replaced'],
    );
    if (rowCount === 1) onNews?.({ kind: 'broken', why });
  };

  /**
   * Reports a modified tree.
   * @throws any other error
   */
  const orTorn = (error: unknown): Promise<void> => {
    if (error instanceof TornTree) return markBroken(error.message);
    throw error;
  };

  const tree = options.trouble?.('the log’s tree');

  const takeIn = async (signal: AbortSignal): Promise<void> => {
    const { size, position: begun } = await adoptLog(pool, holder, log.id, origin);
    let frontier = await loadFrontier(pool, size);
    let position = begun;
    let recent = hashesIn(await leavesOf(pool, [Math.max(0, size - REMEMBERED), size]));
    const add = async (events: readonly RecordedEvent[], until: Position): Promise<void> => {
      const hashes = events.map(leafHash);
      const [start] = hashes;
      if (start && recent.some((hash) => hash.equals(start))) {
        // Retried repeatedly; once known, further verifications would find the same.
        if ((await readTree(pool)).broken === null) await askForCheck(pool, 'the sequencer');
        throw new BrokenLog('Entries of the log were shifted: one that is in its tree came again.');
      }
      const grown = frontier.copy();
      const full: HashedSubtree[] = [];
      for (const hash of hashes) grown.append(hash, (subtree) => full.push(subtree));
      const { size: first } = frontier;
      const run = { first, after: position, until, hashes, names: events.map(nameOf), full };
      if (!(await addRun(pool, holder, run))) throw new LostTree('another process takes events in');
      frontier = grown;
      position = until;
      recent = [...recent, ...hashes].slice(-REMEMBERED);
    };
    for await (const { events, position: until, live } of log.subscribe(position, {
      signal,
      pageSize: PAGE,
    })) {
      if (events.length > 0) await add(events, until);
      tree?.over();
      if (live) await pause(PACE, signal);
    }
  };

  const sign = async (): Promise<void> => {
    const tree = await readTree(pool);
    if (tree.broken !== null || tree.origin === null || tree.logId !== log.id) return;
    const { size } = tree;
    const note = await newestCheckpoint(pool);
    const last = note && (await openCheckpoint(note, signer.publicKeys));
    if (note && !last) return markBroken('The last checkpoint is signed by no key of the log.');
    // A copied log is signed no earlier than its original was.
    if (size === 0 || (last && size <= last.size)) return;
    const root = new Uint8Array((await loadFrontier(pool, size)).root());
    if (last) {
      const path = await hashesOfRanges(pool, consistencyRanges(last.size, size));
      const proves = await provesConsistency(
        last,
        { size, root },
        path.map((hash) => new Uint8Array(hash)),
      );
      if (!proves)
        return markBroken(`The tree does not begin with the ${last.size} entries that were signed.`);
    }
    await pool.query(
      `INSERT INTO app.tree_checkpoint (size, note)
       SELECT $2, $3 FROM app.tree WHERE holder = $1 AND broken IS NULL ON CONFLICT DO NOTHING`,
      [holder, size, signer.sign({ origin: tree.origin, size, root })],
    );
  };

  const check = async (signal: AbortSignal): Promise<void> => {
    // Ignore requests dated in the future, after a clock was set back.
    await pool.query(
      `INSERT INTO app.operation (kind, asked_by)
       SELECT $2, 'the nightly comparison' FROM app.tree,
         (SELECT date_trunc('day', clock_timestamp() - $1 * interval '1 hour', 'UTC') + $1 * interval '1 hour' AS night) last
        WHERE made_at < night
          AND NOT EXISTS (SELECT FROM app.operation WHERE kind = $2
            AND (asked_at BETWEEN night AND clock_timestamp() OR ended_at IS NULL))`,
      [NIGHT_HOUR, COMPARE_LOG],
    );
    // Whatever was begun was interrupted: this process has the lease.
    const asked = await takeOperation(pool, [COMPARE_LOG], 0);
    if (!asked) return;
    const recheck = async (tell: (progress: Progress) => void) => {
      tell({ events: 0, size: (await readTree(pool)).size });
      const { size, findings } = await options.recheck(signal, (events) => tell({ events }));
      return { events: size, size, findings };
    };
    // On shutdown, the verification is left to the next process.
    const { findings } = await runOperation(pool, asked.id, recheck, signal);
    if (findings.length > 0) await markBroken(sayFindings(findings), 'is replaced');
    else {
      const { rowCount } = await pool.query(
        'UPDATE app.tree SET broken = NULL, broken_at = NULL WHERE holder = $1 AND broken IS NOT NULL',
        [holder],
      );
      if (rowCount === 1) onNews?.({ kind: 'mended' });
    }
    await pool.query(
      `DELETE FROM app.tree_checkpoint c USING (
         SELECT max(size) AS last, date_trunc('hour', signed_at) AS hour FROM app.tree_checkpoint GROUP BY 2
       ) kept WHERE date_trunc('hour', c.signed_at) = kept.hour AND c.size <> kept.last
         AND c.signed_at < clock_timestamp() - $1 * interval '1 day'`,
      [KEEP_ALL_DAYS],
    );
  };

  const repeat = async (
    signal: AbortSignal,
    every: number,
    work: () => Promise<void>,
    trouble: LeadingOptions['trouble'],
  ): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work();
        trouble?.over();
      } catch (error) {
        if (!signal.aborted) trouble?.met(error);
      }
      await pause(every, signal);
    }
  };

  const checkpoints = options.trouble?.('the log’s checkpoints');
  const comparisons = options.trouble?.('comparing the log with its tree');
  const work = async (held: AbortSignal): Promise<void> => {
    const over = new AbortController();
    const signal = AbortSignal.any([held, over.signal]);
    await Promise.all([
      repeat(signal, signEvery, () => sign().catch(orTorn), checkpoints),
      repeat(signal, signEvery, () => check(signal), comparisons),
      repeat(
        signal,
        RETRY,
        () =>
          takeIn(signal).catch(async (error: unknown) => {
            if (error instanceof LostTree) over.abort();
            else if (error instanceof BeyondTheEnd)
              await markBroken('The log ends before the last entry that is in its tree.');
            else if (error instanceof BrokenLog) await markBroken(error.message);
            else await orTorn(error);
          }),
        tree,
      ),
    ]);
  };

  return lead(lease, work, {
    trouble: {
      met: (error) => tree?.met(error),
      over() {
        for (const task of [tree, checkpoints, comparisons]) task?.over();
      },
    },
  });
};
