import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { erasureRegister, readErasureRegister } from './erasure-register.ts';

it('names everybody who was written down, also after a line that a full disk cut off', async () => {
  const file = join(await freshFolder(), 'kept', 'erasures');
  const register = erasureRegister(file, () => new Date('2026-03-01T12:00:00Z'));
  await register.add('ann');
  await appendFile(file, 'bo');
  await register.add('bob');
  await register.add('carl');
  expect(await readErasureRegister(file)).toEqual(['ann', 'bo', 'bob', 'carl']);
});
