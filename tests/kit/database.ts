/**
 * PostgreSQL for specs: one embedded server a run, started by the first spec that asks, or the one that `SPEC_POSTGRES_URL` names. With it a template comes, which has
 * the application's tables: a database with tables is a copy of it, which takes a fraction of the migrations' time.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, inject } from 'vitest';
import { hasCode } from '#infra/lib/machine.ts';
import { type Database, openDatabase } from '#infra/postgres/database.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { atTheEnd } from './endings.ts';

/** Specs kill processes, never the machine; a run without fsync is several times faster. */
const FAST = { fsync: 'off', full_page_writes: 'off' } as const;
const TEMPLATE = 'with_tables';

const urlOf = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

const administer = async (server: string, sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
};

const makeTemplate = async (server: string): Promise<void> => {
  const found = await administer(server, `SELECT FROM pg_database WHERE datname = '${TEMPLATE}'`);
  if (found.rowCount) return;
  await administer(server, 'DROP DATABASE IF EXISTS unfinished');
  await administer(server, 'CREATE DATABASE unfinished');
  await migrate(urlOf(server, 'unfinished'));
  await administer(server, `ALTER DATABASE unfinished RENAME TO ${TEMPLATE}`);
};

/** Does the work while nobody else holds the lock, in whatever worker or process: whoever makes the folder `lock` has it. */
const oneAtATime = async <Done>(lock: string, work: () => Promise<Done>): Promise<Done> => {
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      await pause(25);
    }
  }
  try {
    return await work();
  } finally {
    await rmdir(lock);
  }
};

let started: Promise<string> | undefined;

/** The URL of the run's server. Several workers may ask at once: the first starts it, the others adopt it. */
const serverUrl = (): Promise<string> => {
  const folder = inject('postgresFolder');
  started ??= oneAtATime(join(folder, 'lock'), async () => {
    const server = { dataDir: join(folder, 'server'), settings: FAST };
    const url = process.env.SPEC_POSTGRES_URL || (await startEmbedded(server)).url;
    await makeTemplate(url);
    return url;
  });
  return started;
};

/** The URL of a database that nobody else uses: empty, or with the application's tables. It is dropped when the spec ends that asks for it, or the file. */
export const freshDatabase = async (content: 'empty' | 'tables' = 'empty'): Promise<string> => {
  const server = await serverUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = content === 'empty' ? 'template1' : TEMPLATE;
  // Its other strategy, through the log, takes five times as long.
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  atTheEnd(() => administer(server, `DROP DATABASE ${name} WITH (FORCE)`));
  return urlOf(server, name);
};

/**
 * A database for the specs of one file, with the application's tables: made before the first of them. Its members are there
 * within specs and their hooks, and throw before.
 *
 * @example const database = migratedDatabase(); it('…', () => database.pool.query('…'));
 */
export const migratedDatabase = (): { readonly url: string; readonly pool: pg.Pool } => {
  let url: string | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    url = await freshDatabase('tables');
    database = openDatabase(url);
    atTheEnd(database.close);
  });
  const made = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the database is made when the first spec starts');
    return value;
  };
  return {
    get url() {
      return made(url);
    },
    get pool() {
      return made(database).pool;
    },
  };
};
