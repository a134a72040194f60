import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Limit, type LimitName, limits } from '#domain/contracts/limits.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { Clock } from '#infra/lib/clock.ts';

const SECOND = 1_000;

export const limitOf = (name: LimitName): Limit => limits[name];

interface Window {
  count: number;
  until: number;
}

/** Milliseconds. A window that ends this much later than a new one was begun before the clock was set back. */
const PUT_BACK = 30_000;

const SWEEP_ABOVE = 50_000;

export interface RateLimits {
  readonly factor: number | 'off';
  /**
   * Resolves at once for in-process limits.
   * @returns the window's count; 0 where limits are off
   * @throws Refusal TOO_MANY
   */
  take(name: LimitName, key: string, times?: number): Promise<number>;
  takeNow(name: LimitName, key: string, times?: number): number;
  giveBack(name: LimitName, key: string): Promise<void>;
  forgive(name: LimitName, key: string): Promise<void>;
  sweep(): Promise<number>;
}

const TAKE = `
  insert into app.rate_limit as l (name, key, count, until) values ($1, $2, 1, $3)
  on conflict (name, key) do update
    set count = case when l.until <= $4 or l.until > $5 then 1 else l.count + 1 end,
        until = case when l.until <= $4 or l.until > $5 then excluded.until else l.until end
  returning count, until`;

/** Keys are addresses of people and machines. */
const hashed = (key: string) => createHash('sha256').update(key).digest();

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
    // Sweeping on every new window would cost too much.
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
