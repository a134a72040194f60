import type pg from 'pg';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { LIVE, readModels } from '#infra/read-models/read-models.ts';
import type { ParkedRow } from '#infra/read-models/tables.ts';
import { Folding, failed, type Parked, refusesRows } from '#projector/engine/folding.ts';
import type { Projection } from '#projector/engine/projection.ts';
import { alone, tellEverybody } from './switch.ts';

export interface ParkedOptions {
  readonly pool: pg.Pool;
  readonly log: EventLog;
  readonly codec: Codec;
  readonly projections: readonly Projection[];
}

export interface Retried {
  readonly taken: number;
  /** In the log's order. `error` is null for an event that waits behind another. */
  readonly left: readonly {
    readonly position: string;
    readonly type: string;
    readonly error: string | null;
  }[];
}

export const listParked = (pool: pg.Pool): Promise<ParkedRow[]> =>
  readModels(pool).selectFrom('parked').selectAll().orderBy('position').execute();

export const countParked = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ parked: number }>(
    `SELECT count(*)::integer AS parked FROM ${LIVE}.parked`,
  );
  return rows[0]?.parked ?? 0;
};

/**
 * One transaction, in the log's order; blocks the runner. Failing events stay parked.
 * @throws CannotStart if a rebuild is running
 */
export const retryParked = (options: ParkedOptions): Promise<Retried> =>
  alone(options.pool, async () => {
    const { position, taken, left } = await inTransaction(options.pool, (client) =>
      retryAll(client, options),
    );
    if (taken > 0) await tellEverybody(options.pool, position);
    return { taken, left };
  });

const retryAll = async (
  client: pg.PoolClient,
  { log, codec, projections }: ParkedOptions,
): Promise<Retried & { readonly position: Position }> => {
  const folding = new Folding({ projections, schema: LIVE, codec, parksNewer: true });
  const held = new Set<string>();
  /** Resolves to how it stays parked, or to nothing. */
  const attempt = async ({ stream, revision }: ParkedRow): Promise<Parked | undefined> => {
    const [record] = await log.readEach([{ stream, revision }]);
    if (!record) throw new Error(`the log has no event ${revision} in ${stream}`);
    const events = await folding.decode([record]);
    await client.query('SAVEPOINT event');
    try {
      const { parked } = await folding.take(client, events, held);
      await client.query('RELEASE SAVEPOINT event');
      return parked[0];
    } catch (error) {
      if (!refusesRows(error)) throw error;
      await client.query('ROLLBACK TO SAVEPOINT event');
      folding.clear();
      const refused = events.map((event) => failed(event, error));
      return (await folding.take(client, refused, held)).parked[0];
    }
  };
  // Makes the runner's next commit fail, so that it reads rows and parked events anew.
  const { rows: checkpoints } = await client.query<{ position: Position }>(
    `UPDATE ${LIVE}.checkpoint SET generation = generation + 1 RETURNING position`,
  );
  const { rows } = await client.query<ParkedRow>(
    `SELECT position, stream, revision::integer, type FROM ${LIVE}.parked ORDER BY position`,
  );
  const left: { position: string; type: string; error: string | null }[] = [];
  for (const row of rows) {
    const still = await attempt(row);
    if (still === undefined) {
      await client.query(`DELETE FROM ${LIVE}.parked WHERE position = $1`, [row.position]);
      continue;
    }
    for (const key of still.keys) held.add(key);
    await client.query(
      `UPDATE ${LIVE}.parked SET error = $2, keys = $3, tries = tries + 1 WHERE position = $1`,
      [row.position, still.error, JSON.stringify(still.keys)],
    );
    left.push({ position: row.position, type: row.type, error: still.error });
  }
  return { taken: rows.length - left.length, left, position: checkpoints[0]?.position ?? START };
};
