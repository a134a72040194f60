import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKnownDevices } from './known-devices.ts';

const newDevices = () => createKnownDevices(createSecretKey(randomBytes(32)));

it('a known device is recognised for the accounts that signed in on it, however the address is written', () => {
  const devices = newDevices();
  const cookie = devices.remember(undefined, 'Ann@example.com');
  const name = devices.find(cookie, ' ann@EXAMPLE.com');
  expect(name).toMatch(/^[\w-]{22}$/);
  expect(devices.find(cookie, 'bob@example.com')).toBeUndefined();
  const both = devices.remember(cookie, 'bob@example.com');
  expect([devices.find(both, 'ann@example.com'), devices.find(both, 'bob@example.com')]).toEqual([
    name,
    name,
  ]);
  expect(devices.remember(both, 'bob@example.com')).toBe(both);
});

it('a known device’s cookie is ignored if it was not signed for this site and device', () => {
  const devices = newDevices();
  const cookie = devices.remember(undefined, 'ann@example.com');
  const [, proof = ''] = cookie.split('.');
  const [other = ''] = devices.remember(undefined, 'ann@example.com').split('.');
  const forged = [undefined, '', '.', proof, `${other}.${proof}`, cookie.slice(0, -1), `${'x'.repeat(22)}.`];
  for (const one of forged) expect(devices.find(one, 'ann@example.com'), one).toBeUndefined();
  expect(newDevices().find(cookie, 'ann@example.com')).toBeUndefined();
});

it('a known device’s cookie stays short by forgetting the account of the oldest sign-in', () => {
  const devices = newDevices();
  let cookie: string | undefined;
  for (let count = 0; count < 100; count += 1) cookie = devices.remember(cookie, `ann${count}@example.com`);
  expect(cookie?.length).toBeLessThan(150);
  expect(devices.find(cookie, 'ann95@example.com')).toBeDefined();
  expect(devices.find(cookie, 'ann94@example.com')).toBeUndefined();
  expect(
    devices.find(devices.remember('x'.repeat(5_000), 'ann@example.com'), 'ann@example.com'),
  ).toBeDefined();
});
