import { PROJECTION_WORK } from '#domain/contracts/admin-projections.ts';
import { eventsAfter, MOST_COUNTED } from '#infra/event-log/checkpoint.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { repeat } from '#infra/lib/every.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { complaints } from '#infra/observability/complaints.ts';
import type { Check } from '#infra/observability/operations.ts';
import { LONGEST_STATEMENT } from '#infra/postgres/database.ts';
import { listen } from '#infra/postgres/listener.ts';
import { readTree, recheckApart } from '#infra/proof/proof.ts';
import { endOperation, takeOperation } from '#infra/queue/operations.ts';
import { findViolations, stillBroken, type Violation } from '#infra/read-models/invariants.ts';
import { RETRY_PARKED_CHANNEL } from '#infra/read-models/progress.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { Engine, OtherVersions } from './engine/engine.ts';
import { filterFor } from './engine/projection.ts';
import { startRunner } from './engine/runner.ts';
import { createReadModels, openProjectorPool } from './engine/schema.ts';
import { createLogIndex, startLogIndex } from './log-index.ts';
import { projections } from './projections/all.ts';
import { countParked, retryParked } from './rebuild/parked.ts';
import { rebuildApart, runInChild } from './rebuild/rebuild-apart.ts';
import { dropOutdated } from './rebuild/switch.ts';
import { startSequencer } from './sequencer.ts';

export interface ProjectorService {
  readonly checks: readonly Check[];
  stop(): Promise<void>;
}

const INVARIANTS_EVERY = 60_000;
const UNBOOKED_AFTER = 60_000;
const HOUR = 3_600_000;
const LOOK_FOR_WORK = 1_000;

/**
 * Older read models serve until a rebuild is done; newer ones are left to a newer process.
 * @throws OtherLogsCheckpoint
 */
export const openProjectorService = async (foundation: Foundation): Promise<ProjectorService> => {
  const { config, databaseUrl, log, codec, logger, metrics, clock, checkpointSigner } = foundation;
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir, BASE_URL: config.baseUrl };
  const pool = openProjectorPool(databaseUrl, complaints(logger, 'a connection broke'), LONGEST_STATEMENT);
  const closing = new AbortController();
  const open = () => new Engine({ pool, schema: LIVE, projections, codec, log, holder: null }).open();
  let rebuilding: Promise<void> | undefined;
  try {
    await createLogIndex(pool, log);
    await createReadModels(pool, LIVE, projections, log.id);
    await open();
  } catch (error) {
    if (!(error instanceof OtherVersions)) {
      await pool.end();
      throw error;
    }
    // A restarted older projector must not revert newer read models; its runner reports the wait.
    if (error.madeBy === 'older') {
      logger.warn('the read models were made by older folds, and are rebuilt beside the old ones');
      const { signal } = closing;
      const run = () => runInChild(['rebuild-main.ts'], env, signal);
      rebuilding = rebuildApart({ run, isDone: () => open().then(() => true), signal, logger });
    }
  }

  const trouble = (task: string) => troubleWith(logger, 'fails, and is tried again', { task });
  const runner = startRunner({
    ...{ pool, log, codec, projections, trouble: trouble('the read models') },
    onNews: (news) => logger.debug(news, 'projector'),
  });
  const indexing = startLogIndex(pool, log, { trouble: trouble('the index of the log') });
  const sequencer = startSequencer({
    pool,
    log,
    signer: checkpointSigner,
    origin: `${new URL(config.baseUrl).host}/log`,
    recheck: (signal, say) =>
      recheckApart(
        { databaseUrl, logUrl: config.eventStoreUrl ?? databaseUrl, publicKeys: checkpointSigner.publicKeys },
        signal,
        say,
      ),
    trouble,
    onNews(news) {
      if (news.kind === 'mended') logger.info('the log fits its tree again');
      else logger.error({ why: news.why }, 'the log does not fit its tree: no checkpoint is signed any more');
    },
  });
  metrics.watch('log_broken', async () => ((await readTree(pool)).broken === null ? 0 : 1));

  const position = async (): Promise<Position> => {
    const { rows } = await pool.query<{ position: Position }>(`SELECT position FROM ${LIVE}.checkpoint`);
    return rows[0]?.position ?? '';
  };
  const eventsWaiting = async (): Promise<number> =>
    eventsAfter(log, await position(), filterFor(projections));
  metrics.watch('projection_lag_events', eventsWaiting);
  metrics.watch('parked_events', () => countParked(pool));
  metrics.watch('paid_without_booking', async () => {
    const { rows } = await pool.query<{ paid: number }>(
      `SELECT count(*)::integer AS paid FROM ${LIVE}.paid_attempt WHERE paid_at < $1`,
      [new Date(clock().getTime() - UNBOOKED_AFTER)],
    );
    return rows[0]?.paid ?? 0;
  });

  let found: readonly Violation[] = [];
  let violations: readonly Violation[] = [];
  let isChecking = false;
  const checkInvariants = async (): Promise<void> => {
    // Concurrent checks would not be a minute apart.
    if (isChecking) return;
    isChecking = true;
    try {
      const before = found;
      found = await findViolations(pool, { now: clock() });
      violations = stillBroken(found, before);
      for (const violation of violations) logger.error(violation, 'an invariant does not hold');
    } catch (error) {
      logger.warn({ err: error }, 'the invariants could not be checked');
    } finally {
      isChecking = false;
    }
  };
  const checking = setInterval(checkInvariants, INVARIANTS_EVERY);
  // Requested in the admin panel. One projector retries; the others find that it is in progress.
  const retrying = listen({
    url: databaseUrl,
    channel: RETRY_PARKED_CHANNEL,
    onConnect: () => undefined,
    onNotify: () =>
      retryParked({ pool, log, codec, projections }).then(
        ({ taken, left }) => logger.info({ taken, left: left.length }, 'parked events were tried again'),
        (error) => logger.warn({ err: error }, 'parked events could not be tried again'),
      ),
  });
  const dropping = repeat(logger, HOUR, 'outdated read models', async () => {
    const dropped = await dropOutdated(pool, config.keepPrevious);
    if (dropped.length > 0) logger.info({ dropped }, 'outdated read models are gone');
  });
  const working = repeat(logger, LOOK_FOR_WORK, 'what was asked of the projector', async () => {
    const work = await takeOperation(pool, PROJECTION_WORK);
    if (!work) return;
    const program = ['work-main.ts', '--id', String(work.id), '--kind', work.kind] as const;
    const code = await runInChild(program, env, closing.signal).catch((error: unknown) => {
      if (closing.signal.aborted) return 0;
      throw error;
    });
    if (code !== 0)
      await endOperation(pool, work.id, { outcome: 'Its process ended before it was done', failed: true });
  });

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
          const parked = await countParked(pool);
          if (parked > 0) throw new Error(`${parked} events are parked`);
          return undefined;
        },
      },
      {
        name: 'proof of the log',
        needed: false,
        probe: async () => {
          const { broken } = await readTree(pool);
          if (broken !== null) throw new Error(broken);
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
      await retrying.close();
      await dropping.stop();
      await working.stop();
      await Promise.all([runner.stop(), indexing.stop(), sequencer.stop()]);
      await rebuilding;
      await pool.end();
    },
  };
};
