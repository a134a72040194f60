import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { startEmbedded } from './embedded.ts';

it('an embedded server with a missing password file refuses to start and names the file', async () => {
  const dataDir = await freshFolder();
  await mkdir(join(dataDir, 'cluster'));
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '18\n');
  const started = startEmbedded({ dataDir });
  await expect(started).rejects.toThrow(CannotStart);
  await expect(started).rejects.toThrow(/password is missing/);
  expect(await readdir(dataDir)).toEqual(['cluster']);
});
