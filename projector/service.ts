import { eventsAfter, MOST_COUNTED } from '#infra/event-log/checkpoint.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import { every } from '#infra/every.ts';
import type { Foundation } from '#infra/foundation.ts';
import { complaints } from '#infra/observability/complaints.ts';
import type { Check } from '#infra/observability/operations.ts';
import { troubleWith } from '#infra/outage.ts';
import { findViolations, type Violation } from '#infra/read-models/invariants.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { Engine, OtherVersions } from './engine.ts';
import { listParked } from './parked.ts';
import { filterFor } from './projection.ts';
import { projections } from './projections/all.ts';
import { rebuildApart, rebuildInChild } from './rebuild-apart.ts';
import { type RunnerNews, startRunner } from './runner.ts';
import { createReadModels, openProjectorPool } from './schema.ts';
import { dropOutdated } from './switch.ts';

/** The projector of one process. Of several processes one projects at a time; the others wait for the lease. */
export interface ProjectorService {
  readonly checks: readonly Check[];
  stop(): Promise<void>;
}

const INVARIANTS_EVERY = 60_000;
const UNBOOKED_AFTER = 60_000;
const HOUR = 3_600_000;

/**
 * Makes the read models if they don't exist, and keeps them up to date. Read models that other versions of the projections made
 * serve as they are until a rebuild beside them is done.
 * @throws OtherLogsCheckpoint when the read models were made from another log
 */
export const openProjectorService = async (foundation: Foundation): Promise<ProjectorService> => {
  const { config, databaseUrl, log, codec, logger, metrics, clock } = foundation;
  const pool = openProjectorPool(databaseUrl, complaints(logger, 'a connection broke'));
  const closing = new AbortController();
  const open = () => new Engine({ pool, schema: LIVE, projections, codec, log, holder: null }).open();
  let rebuilding: Promise<void> | undefined;
  try {
    await createReadModels(pool, LIVE, projections, log.id);
    await open();
  } catch (error) {
    if (!(error instanceof OtherVersions)) {
      await pool.end();
      throw error;
    }
    logger.warn('the read models were made by other folds, and are rebuilt beside the old ones');
    const { signal } = closing;
    const run = () => rebuildInChild(databaseUrl, signal);
    rebuilding = rebuildApart({ run, isDone: () => open().then(() => true), signal, logger });
  }

  let said = '';
  const onNews = (news: RunnerNews): void => {
    const words = news.kind === 'failed' ? news.error.message : '';
    // Every try fails alike until the cause is gone: it is logged once.
    if (news.kind === 'failed' && words !== said) {
      logger.warn({ err: news.error }, 'projecting failed and is tried again');
    } else if (news.kind !== 'failed') logger.debug(news, 'projector');
    said = words;
  };
  const runner = startRunner({ pool, log, codec, projections, onNews });

  const position = async (): Promise<Position> => {
    const { rows } = await pool.query<{ position: Position }>(`SELECT position FROM ${LIVE}.checkpoint`);
    return rows[0]?.position ?? '';
  };
  const eventsWaiting = async (): Promise<number> =>
    eventsAfter(log, await position(), filterFor(projections));
  metrics.watch('projection_lag_events', eventsWaiting);
  metrics.watch('parked_events', async () => (await listParked(pool)).length);
  metrics.watch('paid_without_booking', async () => {
    const { rows } = await pool.query<{ paid: number }>(
      `SELECT count(*)::integer AS paid FROM ${LIVE}.paid_attempt WHERE paid_at < $1`,
      [new Date(clock().getTime() - UNBOOKED_AFTER)],
    );
    return rows[0]?.paid ?? 0;
  });

  let violations: readonly Violation[] = [];
  const checkInvariants = async (): Promise<void> => {
    try {
      violations = await findViolations(pool, { now: clock() });
      for (const violation of violations) logger.error(violation, 'an invariant does not hold');
    } catch (error) {
      logger.warn({ err: error }, 'the invariants could not be checked');
    }
  };
  const checking = setInterval(checkInvariants, INVARIANTS_EVERY);
  const unfinished = troubleWith(logger, 'fails, and is tried again', { task: 'outdated read models' });
  const dropping = every(
    HOUR,
    async () => {
      const dropped = await dropOutdated(pool, config.keepPrevious);
      if (dropped.length > 0) logger.info({ dropped }, 'outdated read models are gone');
    },
    unfinished.met,
    unfinished.over,
  );

  return {
    checks: [
      {
        name: 'projector',
        needed: true,
        probe: async () => {
          const waiting = await eventsWaiting();
          if (waiting >= MOST_COUNTED)
            throw new Error(`the read models are ${waiting} events or more behind`);
          return `${waiting} events behind`;
        },
      },
      {
        name: 'parked events',
        needed: false,
        probe: async () => {
          const parked = await listParked(pool);
          if (parked.length > 0) throw new Error(`${parked.length} events are parked`);
          return undefined;
        },
      },
      {
        name: 'invariants',
        needed: false,
        probe: async () => {
          if (violations.length > 0) throw new Error(`${violations.length} do not hold`);
          return undefined;
        },
      },
    ],
    async stop() {
      closing.abort();
      clearInterval(checking);
      await dropping.stop();
      await runner.stop();
      await rebuilding;
      await pool.end();
    },
  };
};
