import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDatabase } from '#infra/postgres/database.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { freshDatabase } from '#tests/postgres.ts';
import { createPostgresKeyStore } from './postgres.ts';
import { proveMasterKey } from './prove-master-key.ts';

test('a master key other than the one of before is found out, in words that name the variable', async () => {
  const database = await freshDatabase();
  await migrate(database.url);
  const { pool, close } = openDatabase(database.url);
  const masterKey = randomBytes(32);
  const before = createPostgresKeyStore({ pool, masterKey });
  await proveMasterKey(pool, before);
  await before.sealing('account-1');
  await proveMasterKey(pool, createPostgresKeyStore({ pool, masterKey }));
  const other = createPostgresKeyStore({ pool, masterKey: randomBytes(32) });
  await expect(proveMasterKey(pool, other)).rejects.toThrow('MASTER_KEY is not the one');
  await close();
  await database.drop();
});
