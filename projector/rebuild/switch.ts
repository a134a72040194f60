import type pg from 'pg';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { READ_MODELS_CHANNEL, writeNotice } from '#infra/read-models/progress.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { quote } from '#projector/engine/schema.ts';

export const PREVIOUS = 'read_previous';

export const tellEverybody = async (pool: pg.Pool, position: Position): Promise<void> => {
  await pool.query('SELECT pg_notify($1, $2)', [
    READ_MODELS_CHANNEL,
    writeNotice({ position, listings: undefined }),
  ]);
};

/** Advisory lock of rebuilds and switches. The number must be unique. */
const LOCK = 7_737_475;

/**
 * Excludes concurrent rebuilds.
 * @throws CannotStart if one is running
 */
export const alone = async <Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> => {
  const client = await pool.connect();
  let broken = false;
  try {
    const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [LOCK]);
    if (rows[0]?.got !== true) throw new CannotStart('Another rebuild is running.');
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {
        broken = true;
      });
    }
  } finally {
    client.release(broken);
  }
};

/**
 * Twice undoes it. Stale until the runner has caught up.
 * @throws CannotStart if none are kept, or they belong to another log or are ahead of this one
 */
export const switchBack = (pool: pg.Pool, log: EventLog): Promise<void> =>
  alone(pool, async () => {
    const { rows: found } = await pool.query(`SELECT to_regclass('${PREVIOUS}.checkpoint') AS it`);
    if (found[0]?.it === null) throw new CannotStart('There are no earlier read models to switch back to.');
    const { rows } = await pool.query<{ log_id: string; position: Position }>(
      `SELECT log_id, position FROM ${PREVIOUS}.checkpoint`,
    );
    const [it] = rows;
    if (!it || !(await isOfLog(log, it.log_id, it.position)))
      throw new CannotStart('The earlier read models are not of this log, or are ahead of it.');
    await inTransaction(pool, async (client) => {
      await client.query(
        `UPDATE ${LIVE}.checkpoint SET generation = generation + 1, updated_at = clock_timestamp()`,
      );
      await client.query(
        `UPDATE ${PREVIOUS}.checkpoint p SET holder = l.holder, lease_until = l.lease_until,
          generation = greatest(p.generation, l.generation) + 1 FROM ${LIVE}.checkpoint l`,
      );
      await client.query(`ALTER SCHEMA ${LIVE} RENAME TO read_aside`);
      await client.query(`ALTER SCHEMA ${PREVIOUS} RENAME TO ${LIVE}`);
      await client.query(`ALTER SCHEMA read_aside RENAME TO ${PREVIOUS}`);
    });
    await tellEverybody(pool, START);
  });

/**
 * `after`: milliseconds since they were live or last written. They hold names and are not updated. Resolves
 * to the dropped schemas.
 * @throws CannotStart if a rebuild is running
 */
export const dropOutdated = (pool: pg.Pool, after: number): Promise<readonly string[]> =>
  alone(pool, async () => {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT schemaname AS name FROM pg_tables WHERE tablename = 'checkpoint' AND starts_with(schemaname, 'read_')",
    );
    const dropped: string[] = [];
    for (const { name } of rows) {
      const schema = quote(name);
      const { rowCount } = await pool.query(
        `SELECT FROM ${schema}.checkpoint WHERE updated_at > clock_timestamp() - $1 * interval '1 millisecond'`,
        [after],
      );
      if (rowCount) continue;
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      dropped.push(name);
    }
    return dropped;
  });
