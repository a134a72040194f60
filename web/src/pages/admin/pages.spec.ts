import { expect, test } from 'vitest';
import { pageButtons } from './pages.ts';

test('at most five pages are offered, the shown one among them', () => {
  expect(pageButtons(0, 3)).toEqual([0, 1, 2]);
  expect(pageButtons(0, 9)).toEqual([0, 1, 2, 3, 4]);
  expect(pageButtons(5, 9)).toEqual([3, 4, 5, 6, 7]);
  expect(pageButtons(8, 9)).toEqual([4, 5, 6, 7, 8]);
  expect(pageButtons(0, 0)).toEqual([]);
});
