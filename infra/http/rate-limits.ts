/** Enforces the limits of `domain/contracts/limits.ts`. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Limit, type LimitName, limits } from '#domain/contracts/limits.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { Clock } from '#infra/lib/clock.ts';

const SECOND = 1_000;

/** The limit of that name. */
export const limitOf = (name: LimitName): Limit => limits[name];

interface Window {
  count: number;
  /** Epoch milliseconds. */
  until: number;
}

/**
 * A window that ends later than one that begins now is of a time before the clock was put back, and is over too. What is asked for at
 * once may be counted in another order, and processes' clocks differ, so there have to be so many milliseconds between them.
 */
const PUT_BACK = 30_000;

/** The number of windows from which those that have ended are removed. */
const SWEEP_ABOVE = 50_000;

/** Counts what is limited, by name and key (an account, an address, a session). */
export interface RateLimits {
  /** What every limit is multiplied by; `off` lifts them. */
  readonly factor: number | 'off';
  /**
   * Counts one and refuses when that is too many. Resolves at once for a limit that counts in the process.
   * @param times how many times as much as usual this key may
   * @returns the count of the window by now; 0 where limits are lifted
   * @throws Refusal TOO_MANY with `Retry-After`
   */
  take(name: LimitName, key: string, times?: number): Promise<number>;
  /** The same for a limit that counts in the process, without a promise: for the hot path. */
  takeNow(name: LimitName, key: string, times?: number): number;
  /** Uncounts one attempt, where only failed ones count and it succeeded. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Resets the count. */
  forgive(name: LimitName, key: string): Promise<void>;
  /** Removes windows that have ended from PostgreSQL; returns how many. */
  sweep(): Promise<number>;
}

const TAKE = `
  insert into app.rate_limit as l (name, key, count, until) values ($1, $2, 1, $3)
  on conflict (name, key) do update
    set count = case when l.until <= $4 or l.until > $5 then 1 else l.count + 1 end,
        until = case when l.until <= $4 or l.until > $5 then excluded.until else l.until end
  returning count, until`;

/** The table stores only hashes of keys, since keys are the addresses of people and machines. */
const hashed = (key: string) => createHash('sha256').update(key).digest();

/**
 * @param factor multiplies every limit; `off` turns them off
 * @param pool of the database with `app.rate_limit`
 */
export const createRateLimits = (options: {
  factor: number | 'off';
  pool: Pick<pg.Pool, 'query'>;
  clock: Clock;
}): RateLimits => {
  const { factor, pool, clock } = options;
  const windows = new Map<string, Window>();
  let sweepAbove = SWEEP_ABOVE;

  const refuse = (until: number, now: number): never => {
    throw new Refusal('TOO_MANY', {}, { retryAfter: Math.max(1, Math.ceil((until - now) / SECOND)) });
  };

  const sweep = (now: number) => {
    for (const [key, window] of windows) if (window.until <= now) windows.delete(key);
    // While most windows still count, sweeping again for each new one would cost more than it frees.
    sweepAbove = Math.max(SWEEP_ABOVE, windows.size * 2);
  };

  const takeNow = (name: LimitName, key: string, times = 1): number => {
    if (factor === 'off') return 0;
    const limit = limitOf(name);
    const now = clock().getTime();
    const id = `${name} ${key}`;
    const window = windows.get(id);
    if (!window || window.until <= now || window.until > now + limit.within + PUT_BACK) {
      if (windows.size >= sweepAbove) sweep(now);
      windows.set(id, { count: 1, until: now + limit.within });
      return 1;
    }
    window.count += 1;
    if (window.count > limit.most * factor * times) refuse(window.until, now);
    return window.count;
  };

  const inProcess = (name: LimitName) => limitOf(name).counted === 'in the process';

  return {
    factor,
    takeNow,
    async take(name, key, times = 1) {
      if (factor === 'off') return 0;
      if (inProcess(name)) return takeNow(name, key, times);
      const limit = limitOf(name);
      const now = clock();
      const until = new Date(now.getTime() + limit.within);
      const { rows } = await pool.query<{ count: number; until: Date }>({
        name: 'rate-limit-take',
        text: TAKE,
        values: [name, hashed(key), until, now, new Date(until.getTime() + PUT_BACK)],
      });
      const [row] = rows;
      if (row && row.count > limit.most * factor * times) refuse(row.until.getTime(), now.getTime());
      return row?.count ?? 0;
    },
    async giveBack(name, key) {
      if (factor === 'off') return;
      const window = windows.get(`${name} ${key}`);
      if (inProcess(name)) {
        if (window) window.count -= 1;
        return;
      }
      await pool.query(
        'update app.rate_limit set count = greatest(count - 1, 0) where name = $1 and key = $2',
        [name, hashed(key)],
      );
    },
    async forgive(name, key) {
      if (factor === 'off') return;
      windows.delete(`${name} ${key}`);
      if (inProcess(name)) return;
      await pool.query('delete from app.rate_limit where name = $1 and key = $2', [name, hashed(key)]);
    },
    async sweep() {
      const { rowCount } = await pool.query('delete from app.rate_limit where until <= $1', [clock()]);
      return rowCount ?? 0;
    },
  };
};
