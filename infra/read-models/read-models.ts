/** Access to the read models for code that only reads them. */
import { Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { isOutage } from '#infra/postgres/outage.ts';
import { toIsoInstants } from './table.ts';
import type { ReadModels } from './tables.ts';

/** The schema of the live read models. A rebuild makes `read_next` beside it, and keeps the replaced ones as `read_previous`. */
export const LIVE = 'read';

const isoInstants: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(toIsoInstants) }),
};

/** A pool for Kysely, which gives back every connection as sound: one that says nothing any more would be taken again and again. */
const withoutBroken = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  async connect() {
    const client = await pool.connect();
    let broken = false;
    const failed = (error: unknown): never => {
      broken ||= isOutage(error);
      throw error;
    };
    return {
      query: (...asked: unknown[]) => Reflect.apply(client.query, client, asked).catch(failed),
      release: (destroy) => client.release(destroy || broken),
    };
  },
});

/**
 * Kysely over the live read models. Instants come as ISO text. PostgreSQL resolves names at each query, so that queries after a
 * switch read the rebuilt read models. Never destroy the instance: that would close the caller's pool.
 */
export const readModels = (pool: pg.Pool, schema: string = LIVE): Kysely<ReadModels> =>
  new Kysely<ReadModels>({ dialect: new PostgresDialect({ pool: withoutBroken(pool) }) })
    .withSchema(schema)
    .withPlugin(isoInstants);
