import type pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { isOutage } from '#infra/lib/postgres-outage.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { openDatabase } from './database.ts';
import { inTransaction } from './transaction.ts';

let pool: pg.Pool;
beforeEach(async () => {
  const database = openDatabase(await freshDatabase(), { max: 1 });
  atTheEnd(database.close);
  ({ pool } = database);
  await pool.query('create table kept (n integer)');
});

/** What is asked of the connection after its work has failed. */
const askedAfter = async (work: (client: pg.PoolClient) => Promise<unknown>) => {
  const asked: unknown[] = [];
  const failed = await inTransaction(pool, async (client) => {
    const ask = client.query.bind(client);
    await work(client).finally(() => {
      client.query = ((...args: [string]) => {
        asked.push(args[0]);
        return ask(...args);
      }) as typeof client.query;
    });
  }).catch((error: unknown) => error);
  return { asked, failed };
};

it('a failed transaction is rolled back and keeps its connection', async () => {
  const { asked, failed } = await askedAfter(async (client) => {
    await client.query('insert into kept values (1)');
    throw new Error('of the work');
  });
  expect(asked).toEqual(['rollback']);
  expect(failed).toMatchObject({ message: 'of the work' });
  expect(pool.totalCount).toBe(1);
  expect((await pool.query('select from kept')).rowCount).toBe(0);
});

it('a transaction discards a connection that no longer answers, without waiting twice', async () => {
  const { asked } = await askedAfter(() => Promise.reject(new Error('Query read timeout')));
  expect(asked).toEqual([]);
  expect(pool.totalCount).toBe(0);
});

it('a transaction discards a connection to a read-only database', async () => {
  const { failed } = await askedAfter((client) =>
    client.query('set transaction read only; insert into kept values (1)'),
  );
  expect(isOutage(failed)).toBe(true);
  expect(pool.totalCount).toBe(0);
});

it('a full disk and a lack of memory count as outages', () => {
  for (const code of ['53100', '53200']) expect(isOutage(Object.assign(new Error(), { code }))).toBe(true);
});
