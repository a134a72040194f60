import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { loadSecrets } from '#infra/keys/files.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { backUp } from './back-up.ts';

/** The lock under which tables are made: a restore waits for it. */
const MIGRATING = 7_737_473;

let folder: string;
beforeAll(async () => {
  const [databaseUrl, dataDir] = [await freshDatabase('tables'), await freshFolder()];
  await (await openEventLogAt(databaseUrl)).close();
  const { masterKey } = await loadSecrets({ dataDir, production: false, env: {} });
  // As of a site whose environment has it.
  await rm(join(dataDir, 'keys', 'TICKET_SIGNING_KEY'));
  folder = join(await freshFolder(), 'backup');
  await backUp({ databaseUrl, dataDir, masterKey, folder });
});

const restoring = (env: Readonly<Record<string, string>>): Program =>
  new Program('infra/backup/restore-main.ts', { args: [folder, '--erasures', 'none'], env });

it('restoring a backup requires the site’s own secret instead of making a new one', async () => {
  const env = { DATABASE_URL: await freshDatabase(), DATA_DIR: await freshFolder() };
  const program = restoring(env);
  expect([await program.ended, program.output]).toEqual([
    1,
    'TICKET_SIGNING_KEY must be set to what the site had: the backup does not have it. Nothing was touched.\n',
  ]);
  expect(await readdir(env.DATA_DIR)).toEqual([]);
});

it('restoring a backup ends at once when it is interrupted, however much remains', async () => {
  const TICKET_SIGNING_KEY = Buffer.alloc(32, 7).toString('base64');
  const env = { DATABASE_URL: await freshDatabase(), DATA_DIR: await freshFolder(), TICKET_SIGNING_KEY };
  const client = new pg.Client(env.DATABASE_URL);
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [MIGRATING]);
  const program = restoring(env);
  await eventually(async () =>
    expect(
      (
        await client.query(
          // In this database alone: other specs wait for locks of their own.
          `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        )
      ).rowCount,
    ).toBe(1),
  );
  // Later it would be ended with 1, and leave an embedded PostgreSQL running.
  expect([await program.end('SIGINT'), program.output]).toEqual([130, '']);
  await client.end();
});
