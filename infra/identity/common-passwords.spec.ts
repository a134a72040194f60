import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

it.each(['123456', 'password', 'letmein', 'p@ssw0rd', 'passw0rd'])('knows %s', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

it('knows them however their letters are cased', () => {
  expect(['Password', 'LETMEIN', 'iLoveYou', 'P@ssw0rd'].filter((one) => !isCommonPassword(one))).toEqual([]);
});

it('lets others through, the demo’s and long ones among them', () => {
  const others = ['Encore-2026!', 'correct horse', 'lantern season', 'x'.repeat(200), '', 'constructor'];
  expect(others.filter(isCommonPassword)).toEqual([]);
});
