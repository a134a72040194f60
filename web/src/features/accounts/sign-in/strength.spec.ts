import { expect, test } from 'vitest';
import { strengthOf } from './strength.ts';

test('longer and more varied passwords are rated stronger', () => {
  expect(strengthOf('')).toBeUndefined();
  expect(strengthOf('abc')?.score).toBe(0);
  expect(strengthOf('aaaaaaaaaaaaaa')?.score).toBe(1);
  expect(strengthOf('abcdefg1')?.score).toBe(2);
  expect(strengthOf('Encore-2026!')?.score).toBe(4);
});
