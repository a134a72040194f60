import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { openErasureRegister, readErasureRegister } from './erasure-register.ts';

it('the register of erasures names every erased person, also after a line cut off by a full disk', async () => {
  const file = join(await freshFolder(), 'kept', 'erasures');
  const register = await openErasureRegister(file, () => new Date('2026-03-01T12:00:00Z'));
  await register.add('ann');
  await appendFile(file, 'bo');
  await register.add('bob');
  await register.add('carl');
  const at = '2026-03-01T12:00:00.000Z';
  expect(await readErasureRegister(file)).toEqual([
    { subject: 'ann', at },
    { subject: 'bo' },
    { subject: 'bob', at },
    { subject: 'carl', at },
  ]);
});

it('the register of erasures has the time and the author of each request, also after a repeated erasure', async () => {
  const file = join(await freshFolder(), 'erasures');
  const register = await openErasureRegister(file, () => new Date('2026-03-01T12:00:00Z'));
  const [at, by] = ['2026-02-01T09:30:00.000Z', '0199a3d0-0000-7000-8000-00000000000a'];
  await register.add('ann', { at, by });
  await register.add('bob', { at, by: null });
  await register.add('ann');
  await appendFile(file, `carl ${at} ${by.slice(0, 12)}\ndora ${at.slice(0, 7)}`);
  await register.add('dora');
  expect(await readErasureRegister(file)).toEqual([
    { subject: 'ann', at, by },
    { subject: 'bob', at },
    { subject: 'carl', at },
    { subject: 'dora', at: '2026-03-01T12:00:00.000Z' },
  ]);
});

it('the register of erasures is opened for writing at the start instead of at the first erasure', async () => {
  const folder = await freshFolder();
  const file = join(folder, 'kept', 'erasures');
  await openErasureRegister(file, () => new Date());
  expect(await readErasureRegister(file)).toEqual([]);
  await writeFile(join(folder, 'a file'), '');
  const within = openErasureRegister(join(folder, 'a file', 'erasures'), () => new Date());
  await expect(within).rejects.toThrow(/register of erasures can't be written.*ERASURE_REGISTER/);
  await expect(readErasureRegister(join(folder, 'none'))).rejects.toThrow(/can't be read/);
});
