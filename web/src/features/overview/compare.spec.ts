import { expect, test } from 'vitest';
import { compareCounts, compareMoney, stretchBefore } from './compare.ts';

const then = 'by 24 October';

test('a period is named by its last day, and a whole month by its name', () => {
  expect(stretchBefore({ by: '2026-10-24', whole: false })).toBe('by 24\u00a0Oct');
  expect(stretchBefore({ by: '2026-11-30', whole: true })).toBe('in November');
});

test('a number is shown as more, fewer or as many as before', () => {
  const said = (now: number, before: number) => compareCounts({ now, before }, then);
  expect(said(1_312, 100)).toEqual({ direction: 'up', words: '1,212 more than by 24 October' });
  expect(said(0, 3)).toEqual({ direction: 'down', words: '3 fewer than by 24 October' });
  expect(said(7, 7)).toEqual({ direction: 'level', words: 'as many as by 24 October' });
});

test('an amount is shown as more, less or as much as before, to the penny', () => {
  const said = (now: string, before: string) => compareMoney({ now, before }, 'in November');
  expect(said('2340.10', '1100.10')).toEqual({ direction: 'up', words: '£1,240.00 more than in November' });
  expect(said('0.00', '0.30')).toEqual({ direction: 'down', words: '£0.30 less than in November' });
  expect(said('57.00', '57.00')).toEqual({ direction: 'level', words: 'as much as in November' });
});

test('a value is not compared if there was none before', () => {
  expect(compareCounts({ now: 3, before: null }, then)).toBeUndefined();
  expect(compareMoney({ now: '3.00', before: null }, then)).toBeUndefined();
});
