/** Leader election by a lease on a row, by the database's clock. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { backOff, pause, type Trouble } from '#infra/lib/outage.ts';
import { QUICK } from '#infra/postgres/database.ts';

export interface LeaseOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly table: string;
  readonly row?: string;
  readonly ms: number;
  /**
   * Program version (column `version`): a newer program takes the lease at once; an older one, which could
   * skip a newer one's events, only after no newer one has held it for a minute.
   */
  readonly program?: number;
}

/** Milliseconds an older program leaves a free lease to newer ones; then the upgrade counts as rolled back. */
const LEFT_TO_NEWER = 60_000;

export interface Lease {
  /** The row's `holder` while leased. Every write under the lease must check it in the same statement. */
  readonly holder: string;
  /**
   * Runs `work` if the lease is free. `signal` aborts when the lease is lost or expires, when `over` aborts,
   * and at the end.
   * @returns whether the work was started
   * @throws errors of the work or the database
   */
  hold(over: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<boolean>;
  giveBack(): Promise<void>;
}

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

  /** Renews until `signal` aborts; aborts `end` on loss. A failure counts only once the lease has expired. */
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

/** Milliseconds between attempts to acquire, and between the end of the work and its restart. */
const TRY_EVERY = 500;
/**
 * Milliseconds of another's leading that end a trouble here. Any sooner it may be about to fail alike: a
 * silent store takes its time.
 */
const LED_WELL = 30_000;

export interface LeadingOptions {
  readonly trouble?: Pick<Trouble, 'met' | 'over'>;
  /** First pause after a failure, in milliseconds. Default 1,500: lets others acquire the lease first. */
  readonly first?: number;
  /** Longest pause, in milliseconds. Default 15,000. */
  readonly longest?: number;
}

export interface Leading {
  stop(): Promise<void>;
}

/**
 * Leads until stopped. Also releases the lease after a failure: another process may succeed.
 * @param work calls `progressed` on progress, which ends a trouble
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
