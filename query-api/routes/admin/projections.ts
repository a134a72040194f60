import {
  type ProjectionWork,
  projectionCalls,
  type ReadModelSet,
} from '#domain/contracts/admin-projections.ts';
import { eventsAfter, isOfLog } from '#infra/event-log/checkpoint.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { COMPARE_LOG } from '#infra/queue/operations.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import type { QueryContext } from '#query-api/context/context.ts';

const SCHEMAS = { live: LIVE, next: 'read_next', previous: 'read_previous' } as const;

const WORK = `
  SELECT id::integer, kind, asked_at AS "askedAt", ended_at AS "endedAt", phase, events::integer, fraction, outcome, failed,
    CASE WHEN ended_at IS NULL AND phase = 'load' AND fraction > 0
      THEN started_at + (seconds / fraction) * interval '1 second' END AS "expectedAt"
  FROM app.operation WHERE kind <> '${COMPARE_LOG}' ORDER BY id DESC LIMIT 10`;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const adminProjectionRoutes = (app: App, { pool, log }: QueryContext): void => {
  /** Empty if there is no such schema. */
  const setOf = async (name: ReadModelSet['name']): Promise<ReadModelSet[]> => {
    const schema = SCHEMAS[name];
    const { rows: found } = await pool.query(`SELECT to_regclass('${schema}.checkpoint') AS it`);
    if (found[0]?.it === null) return [];
    const { rows } = await pool.query<{
      log_id: string;
      position: string;
      event_at: Date | null;
      versions: Record<string, number>;
      parked: number;
    }>(
      `SELECT log_id, position, event_at, versions, (SELECT count(*)::integer FROM ${schema}.parked) AS parked
        FROM ${schema}.checkpoint`,
    );
    return Promise.all(
      rows.map(async ({ log_id, position, event_at, versions, parked }) => {
        const otherLog = !(await isOfLog(log, log_id, position));
        return {
          ...{ name, position, versions, parked, otherLog },
          eventAt: iso(event_at),
          behind: otherLog ? 0 : await eventsAfter(log, position, {}),
        };
      }),
    );
  };
  const gone = (error: unknown): ReadModelSet[] => {
    if (error instanceof Error && 'code' in error && error.code === '42P01') return [];
    throw error;
  };

  route(app, projectionCalls.overview, async () => {
    const sets = await Promise.all([setOf('live'), setOf('next').catch(gone), setOf('previous').catch(gone)]);
    const { rows: parked } = await pool.query<
      { parkedAt: Date } & Record<'id' | 'position' | 'type' | 'stream', string> & {
          error: string | null;
          tries: number;
        }
    >(
      `SELECT event_id::text AS id, position, type, stream, error, tries, parked_at AS "parkedAt"
        FROM ${LIVE}.parked ORDER BY position LIMIT 100`,
    );
    const { rows: work } = await pool.query<
      Omit<ProjectionWork, 'askedAt' | 'endedAt' | 'expectedAt'> & {
        askedAt: Date;
        endedAt: Date | null;
        expectedAt: Date | null;
      }
    >(WORK);
    return {
      sets: sets.flat(),
      parked: parked.map((one) => ({ ...one, parkedAt: one.parkedAt.toISOString() })),
      work: work.map((one) => ({
        ...one,
        askedAt: one.askedAt.toISOString(),
        endedAt: iso(one.endedAt),
        expectedAt: iso(one.expectedAt),
      })),
    };
  });
};
