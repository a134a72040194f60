import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDecimal, percentOf, toDecimal, toPounds } from './money.ts';

describe('amounts as text', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [30, '0.30'],
    [5700, '57.00'],
    [-1234, '-12.34'],
  ])('show %i pence as %s', (pence, text) => {
    expect(toDecimal(pence)).toBe(text);
  });

  it('are shown in pounds', () => {
    expect(toPounds(5700)).toBe('£57.00');
  });

  it.each([
    ['57', 5700],
    ['57.5', 5750],
    ['57.05', 5705],
    [57, 5700],
    [57.05, 5705],
    [' 57.00 ', 5700],
    [0.1 + 0.2, undefined],
    ['57.005', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['1,000', undefined],
    ['٣', undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('parse %j as %j', (amount, pence) => {
    expect(fromDecimal(amount)).toBe(pence);
  });

  it('are unchanged after being written and parsed', () => {
    fc.assert(
      fc.property(fc.nat(99_999_999_999), (pence) => {
        expect(fromDecimal(toDecimal(pence))).toBe(pence);
      }),
    );
  });
});

describe('percentages', () => {
  it.each([
    [5700, 80, 4560],
    [5, 10, 1],
    [4, 10, 0],
    [15, 10, 2],
    [1, 50, 1],
    [999, 12.34, 123],
    [5000, 0.57, 29],
    [5500, 0.7, 39],
    [10_000, 1.15, 115],
    [1000, 100, 1000],
    [1000, 0, 0],
  ])('of %i pence: %d%% is %i, with half a penny rounded up', (pence, percent, part) => {
    expect(percentOf(pence, percent)).toBe(part);
  });

  it('are exact for every percentage with two decimals', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000), (pence, hundredths) => {
        const exact = (BigInt(pence) * BigInt(hundredths) + 5000n) / 10_000n;
        expect(percentOf(pence, hundredths / 100)).toBe(Number(exact));
      }),
    );
  });
});
