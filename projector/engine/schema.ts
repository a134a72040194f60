import pg from 'pg';
import { STAYS_OPEN, types } from '#infra/postgres/database.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import type { Table } from '#infra/read-models/table.ts';
import { type Projection, tablesOf, versionsOf } from './projection.ts';

/**
 * Asynchronous commit: a crash loses rows and checkpoint together.
 * @param longest query timeout in milliseconds. Default: none, since a rebuild's indexes take long
 */
export const openProjectorPool = (
  databaseUrl: string,
  onError: (error: Error) => void,
  longest?: number,
): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 6,
    types,
    options: '-c synchronous_commit=off',
    application_name: 'reprise projector',
    connectionTimeoutMillis: 10_000,
    ...(longest !== undefined && { query_timeout: longest }),
    ...STAYS_OPEN,
  });
  // Broken connections would end the process without these listeners: the first for idle ones, the second
  // for those in use.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined /* the query under way reports it */));
  return pool;
};

export const quote = (name: string): string => pg.escapeIdentifier(name);

const createTable = (schema: string, { name, columns, key }: Table): string => {
  const defined = Object.entries(columns).map(
    ([column, { type, nullable }]) => `${quote(column)} ${type}${nullable ? '' : ' NOT NULL'}`,
  );
  const keys = [key].flat().map(quote).join(', ');
  return `CREATE TABLE ${schema}.${quote(name)} (${defined.join(', ')}, PRIMARY KEY (${keys})) WITH (fillfactor = 80)`;
};

/** PostgreSQL's statistics keep samples of column values, even of deleted rows. */
const withoutStatistics = (schema: string, { name, columns }: Table): string[] =>
  Object.entries(columns)
    .filter(([, { personal }]) => personal)
    .map(([column]) => `ALTER TABLE ${schema}.${quote(name)} ALTER COLUMN ${quote(column)} SET STATISTICS 0`);

export const indexesOf = (schema: string, projections: readonly Projection[]): string[] =>
  tablesOf(projections).flatMap(({ name, indexes }) =>
    indexes.map((definition) => `CREATE INDEX ON ${quote(schema)}.${quote(name)} ${definition}`),
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

/** Advisory lock: several processes may create the schema at once. The number must be unique. */
const LOCK = 7_737_474;

/** Resolves to whether it was missing and created. `indexes: false` omits the secondary indexes. */
export const createReadModels = async (
  pool: pg.Pool,
  schema: string,
  projections: readonly Projection[],
  logId: string,
  { indexes = true }: { readonly indexes?: boolean } = {},
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const name = quote(schema);
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rows } = await client.query('SELECT to_regclass($1) AS found', [`${name}.checkpoint`]);
    if (rows[0]?.found !== null) return false;
    await client.query(
      [
        `CREATE SCHEMA IF NOT EXISTS ${name}`,
        ...tablesOf(projections).flatMap((table) => [
          createTable(name, table),
          ...withoutStatistics(name, table),
        ]),
        ...bookkeeping(name),
        ...(indexes ? indexesOf(schema, projections) : []),
      ].join(';\n'),
    );
    await client.query(`INSERT INTO ${name}.checkpoint (log_id, position, versions) VALUES ($1, '', $2)`, [
      logId,
      versionsOf(projections),
    ]);
    return true;
  });
