/**
 * The database's clock, kept in this process. All processes tell the time by it, so that what one of them holds until some
 * moment is due for all of them at that moment, whatever their machines' clocks say.
 */
import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { every } from '#infra/lib/every.ts';

/** The database's clock, as this process keeps it. */
export interface DatabaseClock {
  readonly clock: Clock;
  /** By how much this machine's own clock is ahead of it, in milliseconds; negative where it is behind. */
  ahead(): number;
  stop(): Promise<void>;
}

/** How often the database is asked, in milliseconds. In between the time is counted by a clock that nobody sets. */
const ASK_EVERY = 10_000;
/** An answer that takes longer is not believed: half of it may be an error. In milliseconds. */
const LONGEST_ANSWER = 1_000;
/** How far this machine's clock may be from another's, in milliseconds. */
const MOST_SKEW = 30_000;

/** Adds to `performance.now()` to make epoch milliseconds; undefined where the answer took too long. */
const ask = async (pool: Pick<Pool, 'query'>): Promise<number | undefined> => {
  const began = performance.now();
  const { rows } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  const took = performance.now() - began;
  return took > LONGEST_ANSWER ? undefined : (rows[0]?.now ?? 0) - (began + took / 2);
};

/** Asks the database for the time, now and then again and again. @throws the database's own error where it is away now */
export const followDatabaseClock = async (
  pool: Pick<Pool, 'query'>,
  onError: (error: unknown) => void,
): Promise<DatabaseClock> => {
  // The first answer waits for a connection.
  await ask(pool);
  let offset = (await ask(pool)) ?? Date.now() - performance.now();
  const asking = every(
    ASK_EVERY,
    async () => {
      offset = (await ask(pool)) ?? offset;
    },
    onError,
  );
  const now = (): number => performance.now() + offset;
  return { clock: () => new Date(now()), ahead: () => Date.now() - now(), stop: () => asking.stop() };
};

/**
 * Some of what we deal with goes by this machine's own clock: signatures and deadlines of others.
 * @throws CannotStart where it is too far from the clock of `whose`
 */
export const refuseSkew = (ahead: number, whose: string): void => {
  if (Math.abs(ahead) <= MOST_SKEW) return;
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  throw new CannotStart(
    `This machine's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} ${whose}: have both set by a time service (NTP).`,
  );
};
