import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

it.each(['123456', 'password', 'letmein', 'p@ssw0rd', 'passw0rd'])(
  'the list of common passwords has %s',
  (password) => {
    expect(isCommonPassword(password)).toBe(true);
  },
);

it('the list of common passwords ignores case', () => {
  expect(['Password', 'LETMEIN', 'iLoveYou', 'P@ssw0rd'].filter((one) => !isCommonPassword(one))).toEqual([]);
});

it('the list of common passwords leaves out others, including the demo’s and long ones', () => {
  const others = ['Encore-2026!', 'correct horse', 'lantern season', 'x'.repeat(200), '', 'constructor'];
  expect(others.filter(isCommonPassword)).toEqual([]);
});
