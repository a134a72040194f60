/** A job keeps each multi-step request, so an interrupted one is resumed. */
import type { Pool } from 'pg';
import { addJobs, lookAgain, type NewJob } from '#command-api/jobs/jobs.ts';
import type { Clock } from '#infra/lib/clock.ts';

export interface PendingRequests {
  keep(request: NewJob): Promise<boolean>;
  fulfilled(id: string): Promise<void>;
  again(ids: readonly string[]): Promise<void>;
}

export const requestsAsJobs = (pool: Pool): PendingRequests => ({
  keep: async (request) => (await addJobs(pool, [request])) > 0,
  async fulfilled(id) {
    await pool.query('delete from app.job where id = $1', [id]);
  },
  again: (ids) => lookAgain(pool, ids),
});

/** Milliseconds until a job takes over from the call. */
const OWN_TIME = 10_000;

export const takenOverAt = (clock: Clock): Date => new Date(clock().getTime() + OWN_TIME);

/** A stuck request remains a job, listed for operators. */
export const kept = async <Outcome extends { readonly rest: unknown }>(
  pendingRequests: PendingRequests,
  request: NewJob,
  carryOut: () => Promise<Outcome>,
): Promise<Outcome> => {
  await pendingRequests.keep(request);
  const outcome = await carryOut();
  if (outcome.rest !== 'stuck') await pendingRequests.fulfilled(request.id);
  return outcome;
};
