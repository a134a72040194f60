/** Work that one of several processes does at a time: whoever holds the lease on a row, by the database's clock. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

export interface LeaseOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  /** A table with the columns `holder` (uuid) and `lease_until` (timestamptz), as SQL names it. */
  readonly table: string;
  /** Picks the row, in SQL; where it is left out, the table has one row. */
  readonly row?: string;
  /** The length of the lease in milliseconds: how soon another process takes over from one that was killed. */
  readonly ms: number;
}

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
export const leaseOn = ({ pool, table, row = 'true', ms }: LeaseOptions): Lease => {
  const holder = randomUUID();

  const take = async (): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `UPDATE ${table} SET holder = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
        WHERE ${row} AND (holder = $1 OR holder IS NULL OR lease_until < clock_timestamp())`,
      [holder, ms],
    );
    return rowCount === 1;
  };

  /** Renews it until `signal` aborts, and aborts `end` when it is lost. A failure counts once the lease has run out. */
  const renew = async (signal: AbortSignal, end: AbortController): Promise<void> => {
    let held = performance.now();
    for (;;) {
      await pause(ms / 3, undefined, { signal }).catch(() => undefined /* it is over */);
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
      await pool.query(`UPDATE ${table} SET holder = NULL WHERE ${row} AND holder = $1`, [holder]);
    },
  };
};
