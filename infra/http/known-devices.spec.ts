import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createKnownDevices } from './known-devices.ts';

const newDevices = () => createKnownDevices(createSecretKey(randomBytes(32)));

it('knows a device for the accounts that were signed in to there, however the address is written', () => {
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

it('believes no cookie that another site, another device or nobody has signed', () => {
  const devices = newDevices();
  const cookie = devices.remember(undefined, 'ann@example.com');
  const [, proof = ''] = cookie.split('.');
  const [other = ''] = devices.remember(undefined, 'ann@example.com').split('.');
  const forged = [undefined, '', '.', proof, `${other}.${proof}`, cookie.slice(0, -1), `${'x'.repeat(22)}.`];
  for (const one of forged) expect(devices.find(one, 'ann@example.com'), one).toBeUndefined();
  expect(newDevices().find(cookie, 'ann@example.com')).toBeUndefined();
});

it('stays short, and forgets the account that was signed in to longest ago', () => {
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
