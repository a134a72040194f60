/** The database's clock, cached: a deadline is the same for all processes, whatever their machines' clocks say. */
import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { every } from '#infra/lib/every.ts';

export interface DatabaseClock {
  readonly clock: Clock;
  /** Milliseconds that this machine's clock is ahead; negative if behind. */
  ahead(): number;
  stop(): Promise<void>;
}

/** Milliseconds. The monotonic clock counts in between. */
const ASK_EVERY = 10_000;
/** Milliseconds. Slower answers are ignored: half of their duration may be an error. */
const LONGEST_ANSWER = 1_000;
const MOST_SKEW = 30_000;

const ask = async (pool: Pick<Pool, 'query'>): Promise<number | undefined> => {
  const began = performance.now();
  const { rows } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  const took = performance.now() - began;
  return took > LONGEST_ANSWER ? undefined : (rows[0]?.now ?? 0) - (began + took / 2);
};

export const followDatabaseClock = async (
  pool: Pick<Pool, 'query'>,
  onError: (error: unknown) => void,
): Promise<DatabaseClock> => {
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
 * Signatures and external deadlines use this machine's own clock.
 * @throws CannotStart
 */
export const refuseSkew = (ahead: number, whose: string): void => {
  if (Math.abs(ahead) <= MOST_SKEW) return;
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  throw new CannotStart(
    `This machine's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} ${whose}: have both set by a time service (NTP).`,
  );
};
