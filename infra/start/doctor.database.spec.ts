import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '#infra/config/config.ts';
import { makeRoles } from '#infra/postgres/roles.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { startEverything } from './everything.ts';

const logger = silentLogger();

test('the doctor only reads, also in a read-only database and in one of an earlier version', async () => {
  const superuser = await freshDatabase();
  const urls = await makeRoles(superuser);
  const env = { DATA_DIR: await freshFolder(), DEMO: 'off', PORT: '0' };
  const site = await startEverything({ config: readConfig(env), ...urls, logger });
  await site.ready;
  await site.stop();
  const client = new pg.Client(superuser);
  await client.connect();
  await client.query(`alter database ${client.database} set default_transaction_read_only = on`);

  expect(await makeRoles(superuser)).toEqual(urls);
  const { databaseUrl, ownerUrl } = urls;
  const doctor = async () => {
    const program = new Program('infra/start/doctor.ts', {
      env: { ...env, DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: ownerUrl },
    });
    return [await program.ended, program.output];
  };
  expect(await doctor()).toEqual([0, expect.stringMatching(/\nAll is well\.\n$/)]);

  await client.query("delete from app.migration where name = '060-mail'");
  await client.end();
  expect(await doctor()).toEqual([
    1,
    'The database is of an earlier version, without 060-mail: a start brings it up to date.\n',
  ]);
});
