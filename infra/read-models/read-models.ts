/** The door to the read models for whoever only reads them. */
import { Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { toIsoInstants } from './table.ts';
import type { ReadModels } from './tables.ts';

/** The live read models' schema. A rebuild makes `read_next` beside it and keeps the old one as `read_previous`. */
export const LIVE = 'read';

const isoInstants: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(toIsoInstants) }),
};

/**
 * Kysely over the live read models. Instants come as ISO text. It resolves names at each query, so that it
 * follows a switch to rebuilt read models. The pool stays the caller's: never destroy the instance.
 */
export const readModels = (pool: pg.Pool, schema: string = LIVE): Kysely<ReadModels> =>
  new Kysely<ReadModels>({ dialect: new PostgresDialect({ pool }) })
    .withSchema(schema)
    .withPlugin(isoInstants);
