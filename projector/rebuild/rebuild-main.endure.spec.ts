import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { loadSecrets } from '#infra/keys/files.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { freshFolder } from '#tests/kit/folder.ts';

// Four programs are started one after the other.
vi.setConfig({ testTimeout: 120_000 });

test('a rebuild reports differences and does not switch unless told to, and the earlier read models can be restored', async () => {
  const url = await freshDatabase('tables');
  const dataDir = await freshFolder();
  await loadSecrets({ dataDir, production: false, env: {} });
  const client = new pg.Client(url);
  await client.connect();
  const rebuild = async (...options: string[]) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'rebuild-main.ts'), ...options], {
      env: {
        ...process.env,
        // The runner of these specs has a variable of that name too.
        BASE_URL: 'http://localhost:3000',
        DATABASE_URL: url,
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complaint, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { said, complaint, code };
  };
  const cities = async () => (await client.query('SELECT id FROM read.city')).rows;
  try {
    expect(await rebuild()).toEqual({
      code: 0,
      said: expect.stringContaining('nothing to compare'),
      complaint: '',
    });
    await client.query(
      `INSERT INTO read.city (id, name, state, country, zone, archived, words)
       VALUES (7, 'Nowhere', '', '', 'UTC', false, '')`,
    );

    expect(await rebuild()).toMatchObject({
      code: 1,
      complaint: expect.stringMatching(/differ from the live ones in city; nothing was switched/),
    });
    expect(await cities()).toEqual([{ id: 7 }]);

    expect(await rebuild('--replace')).toMatchObject({
      code: 0,
      said: expect.stringContaining('city: 1 differing rows'),
    });
    expect(await cities()).toEqual([]);

    expect(await rebuild('--switch-back')).toMatchObject({ code: 0 });
    expect(await cities()).toEqual([{ id: 7 }]);
  } finally {
    await client.end();
  }
});
