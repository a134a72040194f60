import type { Pool } from 'pg';
import { addJobs } from '#command-api/reactors/jobs.ts';
import type { CancellationWish } from '#domain/booking/chain.ts';
import type { Clock } from '#infra/clock.ts';

/** Where a cancellation is kept until it has taken its last step. */
export interface CancellationRecord {
  keep(bookingId: number, wish: CancellationWish): Promise<void>;
  fulfilled(bookingId: number, wish: CancellationWish): Promise<void>;
}

/** A cancellation as a job carries it: all but the person's words, which only the log keeps, sealed. */
export type KeptWish = Omit<CancellationWish, 'reason'>;

/** How long the call itself has, before a job takes over, in milliseconds. */
const OWN_TIME = 10_000;

const idOf = (bookingId: number, wish: KeptWish): string => `cancellation:${bookingId}:${wish.cancellation}`;

/** Wishes as jobs that are due when their call should long be over. */
export const wishesAsJobs = ({
  pool,
  clock,
}: {
  readonly pool: Pool;
  readonly clock: Clock;
}): CancellationRecord => ({
  async keep(bookingId, { reason: _, ...wish }) {
    const dueAt = new Date(clock().getTime() + OWN_TIME);
    const id = idOf(bookingId, wish);
    await addJobs(pool, [
      { id, kind: 'cancellation', subject: String(bookingId), payload: { bookingId, wish }, dueAt },
    ]);
  },
  async fulfilled(bookingId, wish) {
    await pool.query('delete from app.job where id = $1', [idOf(bookingId, wish)]);
  },
});
