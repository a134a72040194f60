import { Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isOutage } from '#infra/lib/postgres-outage.ts';
import { toIsoInstants } from './table.ts';
import * as tables from './tables.ts';

/** A rebuild creates `read_next` beside it and keeps the replaced ones as `read_previous`. */
export const LIVE = 'read';

const isoInstants: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(toIsoInstants) }),
};

const DECLARED = Object.values(tables).flatMap(({ name, columns }) =>
  Object.keys(columns).map((column) => [name, column] as const),
);
const MISSING = `
  select distinct d.name from unnest($1::text[], $2::text[]) as d (name, field)
   where not exists (
     select from pg_attribute where attrelid = to_regclass(format('%I.%I', $3::text, d.name)) and attname = d.field
   ) order by 1`;

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

/** Unknown table or column. */
const UNKNOWN = new Set<unknown>(['42P01', '42703']);
const REBUILT_SOON = 5;

/** `UNAVAILABLE` if the read models lack a declared table or column. */
const orOutdated = async (error: unknown, client: pg.PoolClient, schema: string): Promise<unknown> => {
  if (!(error instanceof Error && 'code' in error && UNKNOWN.has(error.code))) return error;
  const outdated = await outdatedTables(client, schema).catch(() => []);
  if (outdated.length === 0) return error;
  return new Refusal('UNAVAILABLE', {}, { cause: error, retryAfter: REBUILT_SOON });
};

/**
 * Kysely returns every connection as sound, so a dead one would be reused. Tables not built yet fail as if
 * PostgreSQL were away.
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
 * Instants are ISO text. PostgreSQL resolves names at each query, so a switch is seen at once. Never destroy
 * the instance: that would close the caller's pool.
 */
export const readModels = (pool: pg.Pool, schema: string = LIVE): Kysely<tables.ReadModels> =>
  new Kysely<tables.ReadModels>({ dialect: new PostgresDialect({ pool: poolFor(pool, schema) }) })
    .withSchema(schema)
    .withPlugin(isoInstants);
