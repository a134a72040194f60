import { expect, it } from 'vitest';
import type { LimitName } from '#domain/contracts/limits.ts';
import { countAddress, countAddressNow, countedAddress, countedLine } from './counted-address.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:0DB8:0:7::4', '2001:db8:0:7::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('rate limits count the address %s as %s', (ip, counted) => {
  expect(countedAddress(ip)).toBe(counted);
});

it.each([
  ['203.0.113.9', undefined],
  ['::ffff:203.0.113.9', undefined],
  ['2001:DB8:1:2:3::4', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
])('rate limits count the IPv6 site prefix of %s as %s', (ip, line) => {
  expect(countedLine(ip)).toBe(line);
});

it('rate limits count an IPv6 address by its network, and ten times as generously by its site prefix', async () => {
  const taken: unknown[] = [];
  const takeNow = (name: LimitName, key: string, times = 1): number => taken.push([name, key, times]);
  const limits = { takeNow, take: async (...asked: Parameters<typeof takeNow>) => takeNow(...asked) };
  countAddressNow(limits, 'address', '203.0.113.9');
  await countAddress(limits, 'registration', '2001:db8:1:2::9');
  expect(taken).toEqual([
    ['address', '203.0.113.9', 1],
    ['registration', '2001:db8:1:2::/64', 1],
    ['registration', '2001:db8:1::/48', 10],
  ]);
});
