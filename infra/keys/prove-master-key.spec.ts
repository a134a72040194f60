import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#infra/config.ts';
import { layFoundation } from '#infra/foundation.ts';
import { silentLogger } from '#infra/observability/logger.ts';
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

test('no program of the site starts with another master key', async () => {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-keys-'));
  const start = (masterKey: string) =>
    layFoundation({
      name: 'spec',
      config: readConfig({ DATA_DIR: dataDir, DEMO: 'off', MASTER_KEY: masterKey }),
      databaseUrl: database.url,
      logger: silentLogger(),
    });
  const first = await start(randomBytes(32).toString('base64'));
  await first.keys.sealing('account-1');
  await first.close();
  await expect(start(randomBytes(32).toString('base64'))).rejects.toThrow('MASTER_KEY is not the one');
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});
