import { expect, it } from 'vitest';
import { isOfAge } from './minimum-age.ts';

it.each([
  ['2008-12-04', '2026-12-04', true],
  ['2008-12-05', '2026-12-04', false],
  ['2008-01-31', '2026-12-04', true],
  ['2018-06-01', '2026-12-04', false],
  ['2008-02-29', '2026-02-28', false],
  ['2008-02-29', '2026-03-01', true],
])('a person born on %s is 18 on %s: %s', (born, day, is) => {
  expect(isOfAge(born, 18, day)).toBe(is);
});
