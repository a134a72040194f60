/**
 * The limits, one table. Those that guard secrets count in PostgreSQL, so that several processes count
 * together; the rest count in the process. Tests and benches raise them by configuration (`RATE_LIMITS`).
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Refusal } from '#domain/refusal.ts';
import type { Clock } from '#infra/clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Limit {
  /** How many within the window. */
  readonly most: number;
  /** Milliseconds. A window starts with the first that is counted in it. */
  readonly within: number;
  readonly counted: 'in PostgreSQL' | 'in the process';
  /** Whose the count is where somebody is signed in: each session's own (a device), or all of an account's. Default: the account's. */
  readonly by?: 'session';
}

/** All limits by name. */
export const limits = {
  /** Everything that comes from one address (`countedAddress`, here as wherever a limit is by address). */
  address: { most: 6_000, within: MINUTE, counted: 'in the process' },
  /**
   * Calls with a limit of their own, of all visitors behind one address: each browser there has its own count, so that neighbours
   * don't use up each other's, and whoever makes browsers up ends here.
   */
  visitors: { most: 50, within: HOUR, counted: 'in the process' },
  /** Reads of one session, or of one visitor. */
  reads: { most: 1_200, within: MINUTE, counted: 'in the process', by: 'session' },
  /** Wrong sign-ins. */
  'sign-in-account': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  'sign-in-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  registration: { most: 20, within: HOUR, counted: 'in PostgreSQL' },
  /** Mails with a reset or a verification link, by account. */
  reset: { most: 3, within: HOUR, counted: 'in PostgreSQL' },
  /** Resets that one address asks for, whosever accounts they are. */
  'reset-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  verification: { most: 5, within: HOUR, counted: 'in PostgreSQL' },
  /** Tries of a token from a mail, by address. */
  'mail-token': { most: 60, within: HOUR, counted: 'in PostgreSQL' },
  promotion: { most: 10, within: MINUTE, counted: 'in the process' },
  intent: { most: 100, within: 10 * MINUTE, counted: 'in the process' },
  booking: { most: 10, within: MINUTE, counted: 'in the process' },
  /** Tickets' documents: each is drawn, and each stays in the log. */
  download: { most: 30, within: MINUTE, counted: 'in the process' },
  scan: { most: 10, within: SECOND, counted: 'in the process', by: 'session' },
  newsletter: { most: 5, within: HOUR, counted: 'in the process' },
  support: { most: 5, within: HOUR, counted: 'in the process' },
} as const satisfies Record<string, Limit>;

/** A limit of the table. */
export type LimitName = keyof typeof limits;

/** Whether each session has a count of its own. */
export const isBySession = (name: LimitName): boolean => {
  const limit: Limit = limits[name];
  return limit.by === 'session';
};

interface Window {
  count: number;
  /** Epoch milliseconds. */
  until: number;
}

/** From so many windows on, those that have ended are swept; what still lives stays. */
const SWEEP_ABOVE = 50_000;

/** Counts what is limited, by name and key (an account, an address, a session). */
export interface RateLimits {
  /** What every limit is multiplied by; `off` lifts them. */
  readonly factor: number | 'off';
  /**
   * Counts one and refuses when that is too many. Resolves at once for a limit that counts in the process.
   * @throws Refusal TOO_MANY with `Retry-After`
   */
  take(name: LimitName, key: string): Promise<void>;
  /** The same for a limit that counts in the process, without a promise: for the hot path. */
  takeNow(name: LimitName, key: string): void;
  /** Takes one back: the attempt was good, and only the bad ones count. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Forgets what was counted. */
  forgive(name: LimitName, key: string): Promise<void>;
  /** Removes windows that have ended from PostgreSQL; returns how many. */
  sweep(): Promise<number>;
}

const TAKE = `
  insert into app.rate_limit as l (name, key, count, until) values ($1, $2, 1, $3)
  on conflict (name, key) do update
    set count = case when l.until <= $4 then 1 else l.count + 1 end,
        until = case when l.until <= $4 then excluded.until else l.until end
  returning count, until`;

/** Keys are addresses of people and machines: the table holds their hashes only. */
const hashed = (key: string) => createHash('sha256').update(key).digest();

/**
 * @param factor multiplies every limit; `off` lifts them
 * @param pool where the ones in PostgreSQL count, in `app.rate_limit`
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
    // Not again for each newcomer while most of them live: that would cost more than it keeps out.
    sweepAbove = Math.max(SWEEP_ABOVE, windows.size * 2);
  };

  const takeNow = (name: LimitName, key: string): void => {
    if (factor === 'off') return;
    const limit = limits[name];
    const now = clock().getTime();
    const id = `${name} ${key}`;
    const window = windows.get(id);
    if (!window || window.until <= now) {
      if (windows.size >= sweepAbove) sweep(now);
      windows.set(id, { count: 1, until: now + limit.within });
      return;
    }
    window.count += 1;
    if (window.count > limit.most * factor) refuse(window.until, now);
  };

  const inProcess = (name: LimitName) => limits[name].counted === 'in the process';

  return {
    factor,
    takeNow,
    async take(name, key) {
      if (factor === 'off') return;
      if (inProcess(name)) return takeNow(name, key);
      const limit = limits[name];
      const now = clock();
      const until = new Date(now.getTime() + limit.within);
      const { rows } = await pool.query<{ count: number; until: Date }>({
        name: 'rate-limit-take',
        text: TAKE,
        values: [name, hashed(key), until, now],
      });
      const [row] = rows;
      if (row && row.count > limit.most * factor) refuse(row.until.getTime(), now.getTime());
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
