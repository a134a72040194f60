import { expect, it, vi } from 'vitest';
import { Turns } from '#infra/lib/turns.ts';
import { createCredentials } from './credentials.ts';
import { TooManyPasswords } from './passwords.ts';

it('the password of an unknown account is checked again after an overload', async () => {
  const credentials = createCredentials({ pool: { query: vi.fn() }, clock: () => new Date() });
  const verify = () => credentials.verifyPassword(undefined, 'a password');
  const crowded = vi.spyOn(Turns.prototype, 'waiting', 'get').mockReturnValue(1_000);
  await expect(verify()).rejects.toThrow(TooManyPasswords);
  crowded.mockRestore();
  expect(await verify()).toBe(false);
});
