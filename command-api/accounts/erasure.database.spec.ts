import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { sweepsOf } from './erasure.ts';

const database = migratedDatabase();
const forget = async (): Promise<void> => undefined;

it('read models hold nothing of an erased person, not even those from before a rebuild', async () => {
  const { pool } = database;
  const accountId = randomUUID();
  for (const schema of ['read', 'read_next', 'read_previous'])
    await pool.query(
      `create schema ${schema}; create table ${schema}.person as select '${accountId}'::uuid as account_id`,
    );
  for (const sweep of sweepsOf({ pool, transport: { forget } })) await sweep(accountId);
  for (const schema of ['read', 'read_next', 'read_previous'])
    expect((await pool.query(`select * from ${schema}.person`)).rows).toEqual([]);
});
