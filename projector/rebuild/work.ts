/** Table `app.projection_work`: requests stored by the command API, run by a projector in a child process. */
import type pg from 'pg';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import type { Projection } from '#projector/engine/projection.ts';
import { describeComparison } from './compare.ts';
import { retryParked } from './parked.ts';
import { buildBeside, compareWithRebuild, type Progress, RebuildDiffers, switchToBuilt } from './rebuild.ts';
import { switchBack } from './switch.ts';

export interface WorkOptions {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
}

const TELL_EVERY = 500;
/** Milliseconds without a report after which work counts as interrupted; it reports at least every `STILL_HERE`. */
const CUT_OFF_AFTER = 60_000;
const STILL_HERE = 10_000;

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;

const perform = async (
  kind: string,
  options: WorkOptions,
  onProgress: (told: Progress) => void,
): Promise<string> => {
  const rebuilding = { ...options, onProgress };
  switch (kind) {
    case 'check':
      return describeComparison(await compareWithRebuild(rebuilding));
    case 'build': {
      const { events, seconds, parked, comparison } = await buildBeside(rebuilding);
      const built = `${count(events, 'event')} in ${seconds.toFixed(1)} s, ${parked} parked`;
      return `${built}: ${comparison ? describeComparison(comparison) : 'there is nothing to compare it with'}`;
    }
    case 'switch':
    case 'replace': {
      const comparison = await switchToBuilt({ ...rebuilding, despiteDifferences: kind === 'replace' });
      return `The new read models are live: ${comparison ? describeComparison(comparison) : 'there was nothing to compare with'}`;
    }
    case 'switch-back':
      await switchBack(options.pool, options.log);
      return 'The earlier read models are live again';
    case 'retry-parked': {
      const { taken, left } = await retryParked(options);
      return `${count(taken, 'event')} taken, ${left.length} stay parked`;
    }
    default:
      throw new Error(`nobody knows how to do "${kind}"`);
  }
};

export const takeWork = async (
  pool: pg.Pool,
): Promise<{ readonly id: string; readonly kind: string } | undefined> => {
  const { rows } = await pool.query<{ id: string; kind: string }>(
    `UPDATE app.projection_work SET started_at = clock_timestamp(), told_at = clock_timestamp()
      WHERE ended_at IS NULL
        AND (started_at IS NULL OR told_at < clock_timestamp() - $1 * interval '1 millisecond')
      RETURNING id::text, kind`,
    [CUT_OFF_AFTER],
  );
  return rows[0];
};

export const endWork = async (pool: pg.Pool, id: string, outcome: string, failed: boolean): Promise<void> => {
  await pool.query(
    `UPDATE app.projection_work SET ended_at = clock_timestamp(), outcome = $2, failed = $3
      WHERE id = $1 AND ended_at IS NULL`,
    [id, keepable(outcome.slice(0, 20_000)), failed],
  );
};

export const doWork = async (
  { id, kind }: { readonly id: string; readonly kind: string },
  options: WorkOptions,
): Promise<void> => {
  const { pool } = options;
  const tell = ({ phase, events, seconds, fraction }: Partial<Progress>): void => {
    pool
      .query(
        `UPDATE app.projection_work SET told_at = clock_timestamp(), phase = coalesce($2, phase),
          events = coalesce($3, events), seconds = coalesce($4, seconds), fraction = $5 WHERE id = $1`,
        [id, phase, events, seconds, fraction],
      )
      .catch(() => undefined /* the next one tells more */);
  };
  let told = Number.NEGATIVE_INFINITY;
  let phase = '';
  let last: Partial<Progress> = {};
  const alive = setInterval(() => tell(last), STILL_HERE);
  try {
    const outcome = await perform(kind, options, (progress) => {
      last = progress;
      if (progress.phase === phase && performance.now() - told < TELL_EVERY) return;
      told = performance.now();
      phase = progress.phase;
      tell(progress);
    });
    await endWork(pool, id, outcome, false);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const more = error instanceof RebuildDiffers ? `\n${describeComparison(error.comparison)}` : '';
    await endWork(pool, id, `${words}${more}`, true);
  } finally {
    clearInterval(alive);
  }
};
