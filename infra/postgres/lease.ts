/** Work that one of several processes does at a time: whoever holds the lease on a row, by the database's clock. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pause } from '#infra/outage.ts';
import { QUICK } from './database.ts';

export interface LeaseOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  /** A table with the columns `holder` (uuid) and `lease_until` (timestamptz), as SQL names it. */
  readonly table: string;
  /** Picks the row, in SQL; where it is left out, the table has one row. */
  readonly row?: string;
  /** The length of the lease in milliseconds: how soon another process takes over from one that was killed. */
  readonly ms: number;
  /**
   * Where an older program would pass over what only a newer one knows: the higher, the newer. The table has a column `version` for it. A
   * newer program takes the lease from an older one at once; an older one takes it only after no newer one has had it for a minute.
   */
  readonly version?: number;
}

/** For how long an older program leaves a free lease to newer ones, in milliseconds: then an upgrade was taken back. */
const LEFT_TO_NEWER = 60_000;

export interface Lease {
  /** Stands in the row while this one holds the lease. What is written under the lease demands it in the same statement. */
  readonly holder: string;
  /**
   * Does `work` if nobody else holds the lease, and renews it meanwhile. `signal` aborts when the lease is lost, when it could not
   * be renewed before it ran out, when `over` aborts, and at the end. Resolves to whether the work was begun.
   * @throws what the work throws, or the database
   */
  hold(over: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<boolean>;
  /** Lets another one take it at once, if this one holds it. */
  giveBack(): Promise<void>;
}

/** A lease of this process; another object is another holder. */
export const leaseOn = ({ pool, table, row = 'true', ms, version }: LeaseOptions): Lease => {
  const holder = randomUUID();
  const lent = `UPDATE ${table} SET holder = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'`;
  const free = 'holder = $1 OR holder IS NULL OR lease_until < clock_timestamp()';
  const taking =
    version === undefined
      ? { text: `${lent} WHERE ${row} AND (${free})`, values: [holder, ms] }
      : {
          text: `${lent}, version = $3 WHERE ${row} AND (${free} OR version < $3)
            AND (version <= $3 OR lease_until < clock_timestamp() - $4 * interval '1 millisecond')`,
          values: [holder, ms, version, LEFT_TO_NEWER],
        };

  const take = async (): Promise<boolean> => {
    const { rowCount } = await pool.query({ ...QUICK, ...taking });
    return rowCount === 1;
  };

  /** Renews it until `signal` aborts, and aborts `end` when it is lost. A failure counts once the lease has run out. */
  const renew = async (signal: AbortSignal, end: AbortController): Promise<void> => {
    let held = performance.now();
    for (;;) {
      await pause(ms / 3, signal);
      if (signal.aborted) return;
      const asked = performance.now();
      const kept = await take().catch(() => undefined);
      if (kept === true) held = asked;
      else if (kept === false || performance.now() - held > ms) end.abort();
    }
  };

  return {
    holder,
    async hold(over, work) {
      if (!(await take())) return false;
      const end = new AbortController();
      const signal = AbortSignal.any([over, end.signal]);
      const renewing = renew(signal, end);
      try {
        await work(signal);
      } finally {
        end.abort();
        await renewing;
      }
      return true;
    },
    async giveBack() {
      const text = `UPDATE ${table} SET holder = NULL WHERE ${row} AND holder = $1`;
      await pool.query({ ...QUICK, text, values: [holder] });
    },
  };
};

/** How a try to lead went: the work has ended, somebody else holds the lease, or it failed. */
export type Try = 'ended' | 'refused' | { readonly failed: unknown };

/**
 * Leads in the background whenever nobody else does, until it is stopped; then the lease is given back.
 * @param work is done while the lease is held
 * @param rest how many milliseconds to wait after a try before the next
 */
export const keepLeading = (
  lease: Lease,
  work: (signal: AbortSignal) => Promise<void>,
  rest: (went: Try) => number | Promise<number>,
): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const went = await lease.hold(stopping.signal, work).then(
        (held): Try => (held ? 'ended' : 'refused'),
        (failed: unknown): Try => ({ failed }),
      );
      await pause(await rest(went), stopping.signal);
    }
    await lease.giveBack().catch(() => undefined /* it runs out by itself */);
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
};
