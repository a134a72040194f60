/** Access to the read models for code that only reads them. */
import { Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isOutage } from '#infra/lib/postgres-outage.ts';
import { toIsoInstants } from './table.ts';
import * as tables from './tables.ts';

/** The schema of the live read models. A rebuild makes `read_next` beside it, and keeps the replaced ones as `read_previous`. */
export const LIVE = 'read';

const isoInstants: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(toIsoInstants) }),
};

/** Each column that is declared, as two lists of the same length: of which table, and which. */
const DECLARED = Object.values(tables).flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => [name, column] as const),
);
const MISSING = `
  select distinct d.name from unnest($1::text[], $2::text[]) as d (name, field)
   where not exists (
     select from pg_attribute where attrelid = to_regclass(format('%I.%I', $3::text, d.name)) and attname = d.field
   ) order by 1`;

/** The tables that are not there as this program declares them: an older version made the read models, and they are being rebuilt. */
export const outdatedTables = async (
  client: Pick<pg.Pool, 'query'>,
  schema: string = LIVE,
): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string }>(MISSING, [
    DECLARED.map(([name]) => name),
    DECLARED.map(([, column]) => column),
    schema,
  ]);
  return rows.map(({ name }) => name);
};

/** PostgreSQL knows no such table, or no such column. */
const UNKNOWN = new Set<unknown>(['42P01', '42703']);
/** How long callers wait for a rebuild before they ask again, in seconds. */
const REBUILT_SOON = 5;

/** What is said of a failed query: `UNAVAILABLE` where the read models lack what is declared, else what PostgreSQL said. */
const orOutdated = async (error: unknown, client: pg.PoolClient, schema: string): Promise<unknown> => {
  if (!(error instanceof Error && 'code' in error && UNKNOWN.has(error.code))) return error;
  const outdated = await outdatedTables(client, schema).catch(() => []);
  if (outdated.length === 0) return error;
  return new Refusal('UNAVAILABLE', {}, { cause: error, retryAfter: REBUILT_SOON });
};

/**
 * The pool for Kysely, which gives back every connection as sound: one that says nothing any more would be taken again and again. Queries
 * for what the read models do not have yet fail as if PostgreSQL were away.
 */
const poolFor = (pool: pg.Pool, schema: string): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  async connect() {
    const client = await pool.connect();
    let broken = false;
    const failed = async (error: unknown): Promise<never> => {
      broken ||= isOutage(error);
      throw await orOutdated(error, client, schema);
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
export const readModels = (pool: pg.Pool, schema: string = LIVE): Kysely<tables.ReadModels> =>
  new Kysely<tables.ReadModels>({ dialect: new PostgresDialect({ pool: poolFor(pool, schema) }) })
    .withSchema(schema)
    .withPlugin(isoInstants);
