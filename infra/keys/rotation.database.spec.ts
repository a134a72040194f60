import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { type KeyStore, WrongMasterKey } from './key-store.ts';
import { firstEmailClaims, readMasterSecrets } from './master-secrets.ts';
import { createPostgresKeyStore } from './postgres.ts';
import { abandonRotation, finishRotation, rotateMasterKey } from './rotation.ts';

const database = migratedDatabase();
const newMaster = () => new Uint8Array(randomBytes(32));
/** As a process with this master key has it; it forgets what it read, so that each spec reads. */
const storeOf = (masterKey: Uint8Array): KeyStore =>
  createPostgresKeyStore({ pool: database.pool, masterKey, freshFor: 0 });
const keyOf = async (store: KeyStore, subject: string): Promise<Buffer> =>
  (await store.sealing(subject)).key.export();
const opened = async (store: KeyStore, subject: string): Promise<Buffer | undefined> => {
  const [key] = await store.fetch([{ subject, version: 1 }]);
  return key === undefined || key === 'gone' ? undefined : key.key.export();
};

it('rotating the master key works under running processes, with the old and the new key', async () => {
  const { pool } = database;
  const [first, second, third] = [newMaster(), newMaster(), newMaster()];
  const old = storeOf(first);
  const ann = await keyOf(old, 'ann');

  const told: number[][] = [];
  await rotateMasterKey(pool, first, second, (...progress) => told.push(progress));
  expect(told).toEqual([[1, 1]]);
  // Again, as after a cut: it goes on.
  await rotateMasterKey(pool, first, second);
  const fresh = storeOf(second);
  for (const store of [old, fresh]) expect(await opened(store, 'ann')).toEqual(ann);
  const bob = await keyOf(old, 'bob');
  expect(await opened(fresh, 'bob')).toEqual(bob);
  const cy = await keyOf(fresh, 'cy');
  expect(await opened(old, 'cy')).toEqual(cy);
  const { version } = await fresh.rotate('ann');
  expect((await old.sealing('ann')).version).toBe(version);

  await expect(rotateMasterKey(pool, first, third)).rejects.toThrow('under way');
  await expect(finishRotation(pool, first)).rejects.toThrow('the former one');
  await finishRotation(pool, second);
  for (const [subject, key] of Object.entries({ ann, bob, cy })) {
    expect(await opened(storeOf(second), subject)).toEqual(key);
    await expect(opened(storeOf(first), subject)).rejects.toThrow(WrongMasterKey);
  }

  await rotateMasterKey(pool, second, third);
  await finishRotation(pool, third);
  expect(await opened(storeOf(third), 'ann')).toEqual(ann);
  await expect(opened(storeOf(second), 'ann')).rejects.toThrow(WrongMasterKey);
  await expect(finishRotation(pool, newMaster())).rejects.toThrow('No change');
  await expect(rotateMasterKey(pool, third, third)).rejects.toThrow('NEW_MASTER_KEY is the MASTER_KEY');
});

it('rotating the master key leaves the claims of addresses unchanged', async () => {
  const { pool } = database;
  await pool.query('truncate keys.master_secret');
  const [first, second, third] = [newMaster(), newMaster(), newMaster()];
  const claims = firstEmailClaims(first);
  const claimsOf = async (masterKey: Uint8Array) => (await readMasterSecrets(pool, masterKey)).emailClaims;
  expect((await claimsOf(first)).equals(claims)).toBe(true);
  await pool.query('truncate keys.subject_key');
  for (const [from, to] of [
    [first, second],
    [second, third],
  ] as const) {
    await rotateMasterKey(pool, from, to);
    expect((await claimsOf(from)).equals(claims)).toBe(true);
    expect((await claimsOf(to)).equals(claims)).toBe(true);
    await finishRotation(pool, to);
    expect((await claimsOf(to)).equals(claims)).toBe(true);
  }
});

it('rotating the master key can be abandoned if the new key is lost, and started again with another', async () => {
  const { pool } = database;
  await pool.query('truncate keys.master_secret, keys.subject, keys.subject_key');
  const [first, lost, third] = [newMaster(), newMaster(), newMaster()];
  const ann = await keyOf(storeOf(first), 'ann');
  await expect(abandonRotation(pool, first)).rejects.toThrow('No change');
  await rotateMasterKey(pool, first, lost);
  // Wrapped while the change was under way, by a process with each of the two.
  const bob = await keyOf(storeOf(lost), 'bob');
  const cy = await keyOf(storeOf(first), 'cy');
  await expect(abandonRotation(pool, lost)).rejects.toThrow('the new one');
  await abandonRotation(pool, first);
  await expect(opened(storeOf(lost), 'ann')).rejects.toThrow(WrongMasterKey);
  await expect(finishRotation(pool, lost)).rejects.toThrow('No change');
  const claims = (await readMasterSecrets(pool, first)).emailClaims;
  expect(claims.equals(firstEmailClaims(first))).toBe(true);

  await rotateMasterKey(pool, first, third);
  await finishRotation(pool, third);
  for (const [subject, key] of Object.entries({ ann, bob, cy }))
    expect(await opened(storeOf(third), subject)).toEqual(key);
});

it('abandoning a rotation is refused if some keys can only be opened with the new master key', async () => {
  const { pool } = database;
  await pool.query('truncate keys.master_secret, keys.subject, keys.subject_key');
  const [first, second] = [newMaster(), newMaster()];
  await keyOf(storeOf(first), 'ann');
  await rotateMasterKey(pool, first, second);
  await pool.query('update keys.subject_key set wrapping = wrapping + 1');
  await expect(abandonRotation(pool, first)).rejects.toThrow('does not open');
  await pool.query('update keys.subject_key set wrapping = wrapping - 1');
  expect(await opened(storeOf(second), 'ann')).toBeDefined();
});
