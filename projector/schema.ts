/** The read models' tables in PostgreSQL, made from the projections' own definitions. */
import pg from 'pg';
import type { Derived, Projection, Table } from './projection.ts';
import { versionsOf } from './projection.ts';

/** Where a query can be sent: a pool, or one client in its transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

export const quote = (name: string): string => pg.escapeIdentifier(name);

const columnOf = (table: Table, name: string): string => {
  const type = Reflect.get(table.columns, name) as string;
  const nullable = type.endsWith('?');
  const key = name === table.key ? ' PRIMARY KEY' : '';
  return `${quote(name)} ${nullable ? type.slice(0, -1) : type}${nullable ? '' : ' NOT NULL'}${key}`;
};

const createTable = (schema: string, table: Table): string =>
  `CREATE TABLE ${schema}.${quote(table.name)} (${Object.keys(table.columns)
    .map((name) => columnOf(table, name))
    .join(', ')}) WITH (fillfactor = 80)`;

const createIndexes = (schema: string, { name, indexes = [] }: Table | Derived): string[] =>
  indexes.map((definition) => `CREATE INDEX ON ${schema}.${quote(name)} ${definition}`);

/** The statements that make the secondary indexes; a rebuild runs them after the load. */
export const indexesOf = (schema: string, projections: readonly Projection[]): string[] =>
  projections.flatMap(({ tables, derived = [] }) =>
    [...tables, ...derived].flatMap((table) => createIndexes(quote(schema), table)),
  );

const bookkeeping = (schema: string): string[] => [
  `CREATE TABLE ${schema}.checkpoint (
    "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
    log_id text NOT NULL,
    position text NOT NULL,
    event_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    versions jsonb NOT NULL,
    generation bigint NOT NULL DEFAULT 1,
    holder uuid,
    lease_until timestamptz NOT NULL DEFAULT '-infinity') WITH (fillfactor = 50)`,
  `CREATE TABLE ${schema}.parked (
    position text PRIMARY KEY,
    event_id uuid NOT NULL,
    type text NOT NULL,
    stream text NOT NULL,
    revision bigint NOT NULL,
    keys jsonb NOT NULL,
    error text,
    parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tries integer NOT NULL DEFAULT 1)`,
];

/** Any number that nobody else locks on: several processes may find the schema missing at the same moment. */
const LOCK = 7_737_474;

/**
 * Makes a schema with empty read models that stand before the log's first event, unless it is there already.
 * Answers whether it was made now. `indexes: false` leaves the secondary indexes for later.
 */
export const createReadModels = async (
  pool: pg.Pool,
  schema: string,
  projections: readonly Projection[],
  logId: string,
  { indexes = true }: { readonly indexes?: boolean } = {},
): Promise<boolean> => {
  const client = await pool.connect();
  const name = quote(schema);
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rows } = await client.query('SELECT to_regclass($1) AS found', [`${name}.checkpoint`]);
    const found = rows[0]?.found !== null;
    if (!found) {
      const tables = projections.flatMap((projection) => [
        ...projection.tables.map((table) => createTable(name, table)),
        ...(projection.derived ?? []).map((d) => `CREATE TABLE ${name}.${quote(d.name)} (${d.definition})`),
      ]);
      await client.query(
        [
          `CREATE SCHEMA IF NOT EXISTS ${name}`,
          ...tables,
          ...bookkeeping(name),
          ...(indexes ? indexesOf(schema, projections) : []),
        ].join(';\n'),
      );
      await client.query(`INSERT INTO ${name}.checkpoint (log_id, position, versions) VALUES ($1, '', $2)`, [
        logId,
        versionsOf(projections),
      ]);
    }
    await client.query('COMMIT');
    return !found;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
};
