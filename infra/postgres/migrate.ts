import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { CannotStart, wordsOf } from '#infra/lib/cannot-start.ts';

/** Arbitrary but unique. */
const LOCK = 7_737_473;

export const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Once applied, a file must never change. */
export interface Migration {
  /** File name without `.sql`. */
  readonly name: string;
  readonly sql: string;
}

export const readMigrations = async (folder: string = MIGRATIONS): Promise<readonly Migration[]> => {
  const files = (await readdir(folder)).filter((file) => /^\d{3}-[a-z0-9-]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(join(folder, file), 'utf8'),
    })),
  );
};

const FORBIDDEN = '42501';

export const isForbidden = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === FORBIDDEN) || isForbidden(error.cause));

export const asOutdated = (cause: unknown): unknown =>
  isForbidden(cause)
    ? new CannotStart(
        'The database has to be brought up to date, which this role may not: set DATABASE_OWNER_URL, or start a process that has it first.',
        { cause },
      )
    : cause;

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex');

const OLDEST = 150_000;

/** @throws CannotStart for a PostgreSQL that is too old  @param number its `server_version_num`  @internal */
export const demandVersion = (number: number): void => {
  if (number >= OLDEST) return;
  const version = `${Math.floor(number / 10_000)}.${number % 10_000}`;
  throw new CannotStart(
    `PostgreSQL is version ${version}; Reprise needs ${OLDEST / 10_000} or newer: see DATABASE_URL.`,
  );
};

const connect = async (url: string, name: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: name });
  client.on('error', () => undefined /* the query under way reports it */);
  await client.connect().catch((cause: unknown) => {
    const { host, port, database } = client;
    throw new CannotStart(
      `PostgreSQL at ${host}:${port}, database ${database}, takes no connection: ${wordsOf(cause)}`,
      { cause },
    );
  });
  return client;
};

export const holdsSite = async (url: string): Promise<boolean> => {
  const client = await connect(url, 'reprise look');
  try {
    const { rowCount } = await client.query(
      "SELECT FROM pg_tables WHERE (schemaname, tablename) = ('app', 'migration')",
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
};

/** @throws CannotStart if a migration is missing */
export const demandMigrated = async (pool: Pick<pg.Pool, 'query'>): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM app.migration');
  const applied = new Set(rows.map(({ name }) => name));
  const missing = (await readMigrations()).filter(({ name }) => !applied.has(name));
  if (missing.length > 0)
    throw new CannotStart(
      `The database is of an earlier version, without ${missing.map(({ name }) => name).join(', ')}: a start brings it up to date.`,
    );
};

/**
 * Each in its own transaction. Returns the applied names.
 * @throws CannotStart if PostgreSQL accepts no connection or is too old, or this role may not apply one
 * @throws if an applied file has changed, or a statement fails (that file is rolled back)
 */
export const migrate = async (url: string, migrations?: readonly Migration[]): Promise<readonly string[]> => {
  const wanted = migrations ?? (await readMigrations());
  const client = await connect(url, 'reprise migrate');
  try {
    const { rows: server } = await client.query<{ number: string }>(
      `select current_setting('server_version_num') as number`,
    );
    demandVersion(Number(server[0]?.number));
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rows: found } = await client.query("SELECT to_regclass('app.migration') AS it");
    if (found[0]?.it === null)
      await client.query(`CREATE SCHEMA IF NOT EXISTS app; CREATE TABLE app.migration (
        name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
    const { rows } = await client.query<{ name: string; hash: string }>(
      'SELECT name, hash FROM app.migration',
    );
    const applied = new Map(rows.map((row) => [row.name, row.hash]));
    const now: string[] = [];
    for (const { name, sql } of wanted) {
      const hash = applied.get(name);
      if (hash === hashOf(sql)) continue;
      if (hash !== undefined)
        throw new Error(`migration ${name} was changed after it was applied; add a new one instead`);
      try {
        await client.query('BEGIN');
        await client.query(sql);
        await client.query('INSERT INTO app.migration (name, hash) VALUES ($1, $2)', [name, hashOf(sql)]);
        await client.query('COMMIT');
      } catch (cause) {
        await client.query('ROLLBACK');
        throw new Error(`migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, {
          cause,
        });
      }
      now.push(name);
    }
    return now;
  } catch (error) {
    throw asOutdated(error);
  } finally {
    await client.end();
  }
};
