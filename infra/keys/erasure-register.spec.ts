import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { openErasureRegister, readErasureRegister } from './erasure-register.ts';

it('names everybody who was written down, also after a line that a full disk cut off', async () => {
  const file = join(await freshFolder(), 'kept', 'erasures');
  const register = await openErasureRegister(file, () => new Date('2026-03-01T12:00:00Z'));
  await register.add('ann');
  await appendFile(file, 'bo');
  await register.add('bob');
  await register.add('carl');
  expect(await readErasureRegister(file)).toEqual(['ann', 'bo', 'bob', 'carl']);
});

it('is opened for writing at the start, not when somebody is erased', async () => {
  const folder = await freshFolder();
  const file = join(folder, 'kept', 'erasures');
  await openErasureRegister(file, () => new Date());
  expect(await readErasureRegister(file)).toEqual([]);
  await writeFile(join(folder, 'a file'), '');
  const within = openErasureRegister(join(folder, 'a file', 'erasures'), () => new Date());
  await expect(within).rejects.toThrow(/register of erasures can't be written.*ERASURE_REGISTER/);
  await expect(readErasureRegister(join(folder, 'none'))).rejects.toThrow(/can't be read/);
});
