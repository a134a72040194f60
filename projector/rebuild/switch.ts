/** Replacing the live read models as a whole. Only one process does that at a time, and all readers are told. */

import type pg from 'pg';
import { isOfLog } from '#infra/event-log/checkpoint.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { READ_MODELS_CHANNEL, writeNotice } from '#infra/read-models/progress.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { quote } from '#projector/engine/schema.ts';

/** The schema of the read models that the last switch replaced. They are kept, to be switched back to. */
export const PREVIOUS = 'read_previous';

/** Tells all readers that everything may have changed. */
export const tellEverybody = async (pool: pg.Pool, position: Position): Promise<void> => {
  await pool.query('SELECT pg_notify($1, $2)', [
    READ_MODELS_CHANNEL,
    writeNotice({ position, listings: undefined }),
  ]);
};

/** The advisory lock of rebuilds and switches. No other code uses this number. */
const LOCK = 7_737_475;

/** Does work that must not run beside a rebuild, such as another rebuild. @throws CannotStart if one is running */
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
        // The connection is gone, and with it the lock.
        broken = true;
      });
    }
  } finally {
    client.release(broken);
  }
};

/**
 * Takes the read models back that the last switch replaced, as long as they are kept. Doing it twice undoes
 * it. What they show is old until the runner has caught up.
 * @throws CannotStart if there are none, or if the runner could not catch up with them: they are of another log, or ahead of this one
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
 * Drops the read models that a switch replaced, and those that an unfinished rebuild left, once `after` milliseconds have
 * passed since they were live or last written: they hold people's names, and nobody keeps them up to date. Answers which.
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
