/** Work that one of several processes does at a time: the one that holds the lease on a row, by the database's clock. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { backOff, pause, type Trouble } from '#infra/lib/outage.ts';
import { QUICK } from '#infra/postgres/database.ts';

export interface LeaseOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  /** A table with the columns `holder` (uuid) and `lease_until` (timestamptz), as SQL names it. */
  readonly table: string;
  /** Picks the row, in SQL. Default: the table's only row. */
  readonly row?: string;
  /** Milliseconds until another process takes over from one that was killed. */
  readonly ms: number;
  /**
   * The program's number, for work in which an older program would pass over what only a newer one knows. The table has a column `version`
   * for it. A newer program takes the lease from an older one at once; an older one takes it only after no newer one has had it for a minute.
   */
  readonly program?: number;
}

/** How long an older program leaves a free lease to newer ones, in milliseconds. After that the upgrade counts as taken back. */
const LEFT_TO_NEWER = 60_000;

/** One holder’s lease on a row. */
export interface Lease {
  /** The row's `holder` while this lease is held. Whatever is written under the lease demands it in the same statement. */
  readonly holder: string;
  /**
   * Runs `work` if nobody else holds the lease, and renews it meanwhile. `signal` aborts when the lease is lost, when it could not
   * be renewed before it ran out, when `over` aborts, and at the end. Resolves to whether the work was begun.
   * @throws what the work throws, or the database
   */
  hold(over: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<boolean>;
  /** Lets another process take the lease at once, if this one holds it. */
  giveBack(): Promise<void>;
}

/** A lease of this process; another object is another holder. */
export const leaseOn = ({ pool, table, row = 'true', ms, program }: LeaseOptions): Lease => {
  const holder = randomUUID();
  const lent = `UPDATE ${table} SET holder = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'`;
  const free = 'holder = $1 OR holder IS NULL OR lease_until < clock_timestamp()';
  const taking =
    program === undefined
      ? { text: `${lent} WHERE ${row} AND (${free})`, values: [holder, ms] }
      : {
          text: `${lent}, version = $3 WHERE ${row} AND (${free} OR version < $3)
            AND (version <= $3 OR lease_until < clock_timestamp() - $4 * interval '1 millisecond')`,
          values: [holder, ms, program, LEFT_TO_NEWER],
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

/** Milliseconds between two tries to take the lease, and between the end of the work and its next start. */
const TRY_EVERY = 500;
/** Once another process has led for so long, a trouble here is over, in milliseconds. In less it may be about to fail alike: a silent store takes its time. */
const LED_WELL = 30_000;

export interface LeadingOptions {
  /** Hears of failures, and of their end. */
  readonly trouble?: Pick<Trouble, 'met' | 'over'>;
  /** The first pause after a failure, in milliseconds. Default 1,500: others get the lease before this process tries again. */
  readonly first?: number;
  /** The longest, in milliseconds. Default 15,000. */
  readonly longest?: number;
}

/** Leading in the background, until it is stopped. */
export interface Leading {
  stop(): Promise<void>;
}

/**
 * Leads in the background whenever nobody else does, until it is stopped; then the lease is given back. It is given back after a failure,
 * too, since another process may manage what this one can't: a newer one, or one that reaches the store.
 * @param work runs while the lease is held. It calls `progressed` whenever it has got on: a trouble is then over
 */
export const lead = (
  lease: Lease,
  work: (signal: AbortSignal, progressed: () => void) => Promise<void>,
  { trouble, first = 1_500, longest = 15_000 }: LeadingOptions = {},
): Leading => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
  const progressed = (): void => {
    failures = 0;
    trouble?.over();
  };
  /** Since when another process leads. */
  let another: number | undefined;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        if (await lease.hold(signal, (held) => work(held, progressed))) another = undefined;
        else {
          another ??= performance.now();
          if (performance.now() - another >= LED_WELL) progressed();
        }
        await pause(TRY_EVERY, signal);
      } catch (error) {
        if (signal.aborted) break;
        another = undefined;
        trouble?.met(error);
        await lease.giveBack().catch(() => undefined /* it runs out by itself */);
        await pause(backOff(failures++, first, longest), signal);
      }
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
