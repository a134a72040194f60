import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { createCredentials } from './credentials.ts';

const database = migratedDatabase();
const clock = () => new Date();
/** A hash of "correct horse" with one pass instead of two. */
const OUTDATED =
  '$argon2id$v=19$m=19456,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$RfOKKvZtvhL2FEieR6cdUqsR9h8x7IXK8ms5TYR2mRY';

/** Credentials of an account whose hash is of an older release. `meanwhile` happens while its password is being checked. */
const older = async (meanwhile: (accountId: string) => Promise<void>) => {
  const { pool } = database;
  const accountId = randomUUID();
  await pool.query(
    'insert into app.credential (account_id, password_hash, changed_at) values ($1, $2, now())',
    [accountId, OUTDATED],
  );
  const query = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    const found = await pool.query(text, values);
    if (text.startsWith('select password_hash')) await meanwhile(accountId);
    return found;
  };
  return { accountId, slow: createCredentials({ pool: { query } as Pick<pg.Pool, 'query'>, clock }) };
};

it('a password hashed by an older release is hashed again at the next sign-in', async () => {
  const { accountId, slow } = await older(async () => undefined);
  expect(await slow.verifyPassword(accountId, 'correct horse')).toBe(true);
  const { rows } = await database.pool.query(
    'select password_hash from app.credential where account_id = $1',
    [accountId],
  );
  expect(rows[0].password_hash).not.toBe(OUTDATED);
  expect(await slow.verifyPassword(accountId, 'correct horse')).toBe(true);
});

it('a password changed or removed during a sign-in with it does not come back', async () => {
  const own = createCredentials({ pool: database.pool, clock });
  const changed = await older((accountId) => own.setPassword(accountId, 'Encore-2027!'));
  expect(await changed.slow.verifyPassword(changed.accountId, 'correct horse')).toBe(true);
  expect(await own.verifyPassword(changed.accountId, 'correct horse')).toBe(false);
  expect(await own.verifyPassword(changed.accountId, 'Encore-2027!')).toBe(true);

  const removed = await older((accountId) => own.remove(accountId));
  expect(await removed.slow.verifyPassword(removed.accountId, 'correct horse')).toBe(true);
  expect(await own.waysOf(removed.accountId)).toEqual([]);
});

it('a password is replaced only while it is the current one', async () => {
  const own = createCredentials({ pool: database.pool, clock });
  const { accountId, slow } = await older(() => own.setPassword(accountId, 'Encore-2027!'));
  expect(await slow.replacePassword(accountId, 'correct horse', 'Encore-2028!')).toBe(false);
  expect(await own.replacePassword(accountId, 'correct horse', 'Encore-2028!')).toBe(false);
  expect(await own.replacePassword(accountId, 'Encore-2027!', 'Encore-2028!')).toBe(true);
  expect(await own.verifyPassword(accountId, 'Encore-2028!')).toBe(true);
  expect(await own.replacePassword(randomUUID(), 'Encore-2028!', 'Encore-2029!')).toBe(false);
});
