import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { loadSecrets } from '#infra/keys/files.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';

const TOOLS: readonly (readonly [file: string, ...args: string[]])[] = [
  ['infra/start/doctor.ts'],
  ['infra/backup/backup-main.ts', 'nowhere'],
  ['infra/backup/erase-again-main.ts', '--erasures', '/dev/null'],
  ['infra/start/rotate-master-key.ts', '--finish'],
  ['projector/rebuild/rebuild-main.ts', '--check'],
];

const outcome = async (file: string, args: readonly string[], env: Readonly<Record<string, string>>) => {
  const tool = new Program(file, { args, env });
  return [await tool.ended, tool.output];
};

test.each(TOOLS)(
  '%s does not set up a new site when its variables differ from the site’s',
  async (file, ...args) => {
    const [site, blank] = [await freshDatabase('tables'), await freshDatabase()];
    const [dataDir, nowhere] = [await freshFolder(), await freshFolder()];
    await loadSecrets({ dataDir, production: false, env: {} });

    expect(await outcome(file, args, { DATABASE_URL: blank, DATA_DIR: dataDir })).toEqual([
      1,
      'There is no site in this database: set DATA_DIR or DATABASE_URL to those of the site.\n',
    ]);
    const client = new pg.Client(blank);
    await client.connect();
    const { rows } = await client.query(`select tablename from pg_tables where schemaname in ('app', 'log')`);
    await client.end();
    expect(rows).toEqual([]);

    expect(await outcome(file, args, { DATABASE_URL: site, DATA_DIR: nowhere })).toEqual([
      1,
      `MASTER_KEY is neither set nor in ${join(nowhere, 'keys')}: give this the same variables as the site, DATA_DIR above all.\n`,
    ]);
    expect(await readdir(nowhere)).toEqual([]);
  },
);
