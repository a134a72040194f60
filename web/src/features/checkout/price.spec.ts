import { expect, test } from 'vitest';
import { mostOf, totalOf } from './price.ts';

test('the total is the price times the quantity minus the discount, never below zero', () => {
  expect(totalOf('28.50', 2, '0.00')).toBe('57.00');
  expect(totalOf('28.50', 2, '7.05')).toBe('49.95');
  expect(totalOf('5.00', 1, '10.00')).toBe('0.00');
});

test('at most ten tickets can be chosen, or those left together with the held ones', () => {
  expect(mostOf(500, 0)).toBe(10);
  expect(mostOf(3, 0)).toBe(3);
  expect(mostOf(0, 2)).toBe(2);
  expect(mostOf(0, 0)).toBe(1);
});
