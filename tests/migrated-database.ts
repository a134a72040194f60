import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '#infra/postgres/database.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { type FreshDatabase, freshDatabase } from './postgres.ts';

/**
 * A database for the specs of one file, with the application's tables: made before the first of them, removed after the
 * last. Its members are there within specs and their hooks, and throw before.
 *
 * @example const database = migratedDatabase(); it('…', () => database.pool.query('…'));
 */
export const migratedDatabase = (): Pick<Database, 'pool'> & Pick<FreshDatabase, 'url'> => {
  let fresh: FreshDatabase | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(fresh.url);
    database = openDatabase(fresh.url);
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });
  const made = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the database is made when the first spec starts');
    return value;
  };
  return {
    get url() {
      return made(fresh).url;
    },
    get pool() {
      return made(database).pool;
    },
  };
};
