import { expect, test } from 'vitest';
import { exceeds, percentOf } from './share.ts';

test('a share is shown rounded and compared exactly', () => {
  expect(percentOf(402, 500)).toBe(80);
  expect(exceeds(402, 500, 80)).toBe(true);
  expect(percentOf(398, 500)).toBe(80);
  expect(exceeds(398, 500, 80)).toBe(false);
  expect(exceeds(400, 500, 80)).toBe(false);
  expect(percentOf(0, 0)).toBe(0);
  expect(exceeds(0, 0, 70)).toBe(false);
});
