import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { isOutage } from '#infra/lib/postgres-outage.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { openDatabase } from './database.ts';
import { listen } from './listener.ts';
import { demandVersion, migrate } from './migrate.ts';

/** However slow the machine: what is waited for comes. */
const PATIENCE = 20_000;

let url: string;
beforeAll(async () => {
  url = await freshDatabase();
});

test('migrations run once and unchanged if several processes migrate at once', async () => {
  const files = [
    { name: '001-a', sql: 'CREATE TABLE app.a (n int); INSERT INTO app.a VALUES (1)' },
    { name: '002-b', sql: 'INSERT INTO app.a VALUES (2)' },
  ];
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, files)));
  expect(applied.flat().sort()).toEqual(['001-a', '002-b']);
  expect(await migrate(url, files)).toEqual([]);
  const changed = [{ name: '001-a', sql: 'SELECT 1' }];
  await expect(migrate(url, changed)).rejects.toThrow('001-a was changed');
});

test('a PostgreSQL that is too old is refused in one line', () => {
  expect(() => demandVersion(140_012)).toThrow(
    /^PostgreSQL is version 14\.12; Reprise needs 15 or newer: see DATABASE_URL\.$/,
  );
  expect(() => demandVersion(150_000)).not.toThrow();
});

test('a migration that fails leaves no changes', async () => {
  const broken = [{ name: '003-c', sql: 'CREATE TABLE app.c (n int); SELECT nonsense' }];
  await expect(migrate(url, broken)).rejects.toThrow('003-c failed');
  const { pool, close } = openDatabase(url);
  const { rows } = await pool.query(`SELECT to_regclass('app.c') AS there`);
  expect(rows).toEqual([{ there: null }]);
  await close();
});

test('a query of missing read models counts as an outage, and of any other missing table as a defect', async () => {
  const { pool, close } = openDatabase(url);
  const failureOf = (sql: string) => pool.query(sql).catch((error: unknown) => error);
  expect(isOutage(await failureOf('SELECT 1 FROM read.booking'))).toBe(true);
  expect(isOutage(await failureOf('SELECT 1 FROM app.nonsense'))).toBe(false);
  await close();
});

test('big integers are parsed as numbers, and dates as text', async () => {
  const { pool, close } = openDatabase(url);
  const { rows } = await pool.query(`SELECT 9007199254740991::bigint AS big, '2026-03-29'::date AS day`);
  expect(rows).toEqual([{ big: 9007199254740991, day: '2026-03-29' }]);
  await expect(pool.query('SELECT 9007199254740993::bigint')).rejects.toThrow('2^53');
  await close();
});

test('a listener reconnects after its connection was cut, and reports it', async () => {
  const heard: string[] = [];
  const onConnect = vi.fn();
  const listener = listen({
    url,
    channel: 'a channel',
    onNotify: (payload) => heard.push(payload),
    onConnect,
  });
  await listener.ready;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`SELECT pg_notify('a channel', 'one')`);
  await vi.waitFor(() => expect(heard).toEqual(['one']), PATIENCE);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reprise listen a channel'`,
  );
  await vi.waitFor(() => expect(onConnect).toHaveBeenCalledTimes(2), PATIENCE);
  await client.query(`SELECT pg_notify('a channel', 'two')`);
  await vi.waitFor(() => expect(heard).toEqual(['one', 'two']), PATIENCE);
  await client.end();
  await listener.close();
});
