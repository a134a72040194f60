import { expect, test } from 'vitest';
import { pageButtons } from './page-buttons.ts';

test('at most five pages are offered, including the shown one', () => {
  expect(pageButtons(1, 3)).toEqual([1, 2, 3]);
  expect(pageButtons(1, 9)).toEqual([1, 2, 3, 4, 5]);
  expect(pageButtons(6, 9)).toEqual([4, 5, 6, 7, 8]);
  expect(pageButtons(9, 9)).toEqual([5, 6, 7, 8, 9]);
  expect(pageButtons(1, 0)).toEqual([]);
});
