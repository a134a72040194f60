import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openEventLogAt } from '#infra/event-log/open.ts';
import { loadSecrets } from '#infra/keys/files.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { backUp } from './back-up.ts';

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

it('makes no secret in place of one that the site had, and that is not given', async () => {
  const env = { DATABASE_URL: await freshDatabase(), DATA_DIR: await freshFolder() };
  const program = restoring(env);
  expect([await program.ended, program.output]).toEqual([
    1,
    'TICKET_SIGNING_KEY must be set to what the site had: the backup does not have it. Nothing was touched.\n',
  ]);
  expect(await readdir(env.DATA_DIR)).toEqual([]);
});
