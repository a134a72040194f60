/** Requests that take several steps are kept as jobs while they are carried out, so that one that is interrupted is taken up again. */
import type { Pool } from 'pg';
import { addJobs, lookAgain, type NewJob } from '#command-api/jobs/jobs.ts';
import type { Clock } from '#infra/lib/clock.ts';

/** Keeps a request from before its first step until after its last one. */
export interface Wishes {
  /** Returns whether it is new. */
  keep(wish: NewJob): Promise<boolean>;
  /** @param id the job's */
  fulfilled(id: string): Promise<void>;
  /** Has those that are kept carried out again now. @param ids the jobs' */
  again(ids: readonly string[]): Promise<void>;
}

/** Keeps requests in the table of jobs. */
export const wishesAsJobs = (pool: Pool): Wishes => ({
  keep: async (wish) => (await addJobs(pool, [wish])) > 0,
  async fulfilled(id) {
    await pool.query('delete from app.job where id = $1', [id]);
  },
  again: (ids) => lookAgain(pool, ids),
});

/** After how many milliseconds a job takes over from the call. */
const OWN_TIME = 10_000;

/** When the job of a request that begins now is due: after the call should have ended. */
export const takenOverAt = (clock: Clock): Date => new Date(clock().getTime() + OWN_TIME);

/** Carries a request out, and keeps it until it rests. One that is stuck stays a job, which operators see in a list. */
export const kept = async <Outcome extends { readonly rest: unknown }>(
  wishes: Wishes,
  wish: NewJob,
  carryOut: () => Promise<Outcome>,
): Promise<Outcome> => {
  await wishes.keep(wish);
  const outcome = await carryOut();
  if (outcome.rest !== 'stuck') await wishes.fulfilled(wish.id);
  return outcome;
};
