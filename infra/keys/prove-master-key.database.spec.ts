import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { freshDatabase, migratedDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { createPostgresKeyStore } from './postgres.ts';
import { proveMasterKey } from './prove-master-key.ts';

const database = migratedDatabase();

test('a wrong master key is refused with an error that names the variable', async () => {
  const { pool } = database;
  const masterKey = randomBytes(32);
  const before = createPostgresKeyStore({ pool, masterKey });
  await proveMasterKey(pool, before);
  await before.sealing('account-1');
  await proveMasterKey(pool, createPostgresKeyStore({ pool, masterKey }));
  const other = createPostgresKeyStore({ pool, masterKey: randomBytes(32) });
  await expect(proveMasterKey(pool, other)).rejects.toThrow('MASTER_KEY is not the one');
});

test('no program of the site starts with another master key', async () => {
  const databaseUrl = await freshDatabase();
  const dataDir = await freshFolder();
  const start = (masterKey: string) =>
    layFoundation({
      name: 'spec',
      config: readConfig({ DATA_DIR: dataDir, DEMO: 'off', MASTER_KEY: masterKey }),
      databaseUrl,
      logger: silentLogger(),
    });
  const first = await start(randomBytes(32).toString('base64'));
  await first.keys.sealing('account-1');
  await first.close();
  await expect(start(randomBytes(32).toString('base64'))).rejects.toThrow('MASTER_KEY is not the one');
});
