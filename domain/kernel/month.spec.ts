import { describe, expect, it } from 'vitest';
import { monthSoFar, startOfMonth } from './month.ts';

describe('an unfinished month', () => {
  const at = (now: string) => monthSoFar(new Date(now));

  it('is compared with the month before up to the same day and time', () => {
    expect(at('2026-11-24T14:48:12.345Z')).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      // The clocks went back in between: half past two was an hour earlier in UTC.
      before: { from: '2026-09-30T23:00:00.000Z', until: '2026-10-24T13:48:12.345Z' },
      by: '2026-10-24',
      whole: false,
    });
    expect(at('2026-04-29T10:00:00Z').before).toEqual({
      from: '2026-03-01T00:00:00.000Z',
      until: '2026-03-29T10:00:00.000Z',
    });
    expect(at('2026-04-28T10:00:00Z').before.until).toBe('2026-03-28T11:00:00.000Z');
  });

  it.each([
    ['31 → 30 days', '2026-12-31T10:00:00Z', '2026-11-30', '2026-12-01T00:00:00.000Z'],
    ['31 → 28 days', '2027-03-29T10:00:00Z', '2027-02-28', '2027-03-01T00:00:00.000Z'],
    ['31 → 29 days', '2028-03-30T10:00:00Z', '2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['31 → 30 days in summer', '2026-07-31T10:00:00Z', '2026-06-30', '2026-06-30T23:00:00.000Z'],
  ])('is compared with the whole month before if that has no such day: %s', (_, now, by, until) => {
    expect(at(now)).toMatchObject({ by, whole: true, before: { until } });
  });

  it('is compared up to the same time if the month before is as long or longer', () => {
    expect(at('2026-11-30T23:59:00Z')).toMatchObject({ by: '2026-10-30', whole: false });
    expect(at('2028-02-29T12:00:00Z')).toMatchObject({ by: '2028-01-29', whole: false });
    expect(at('2026-08-31T22:59:00Z')).toMatchObject({ by: '2026-07-31', whole: false });
  });

  it('begins at midnight in London, and January follows December', () => {
    expect(at('2026-07-31T23:30:00Z')).toMatchObject({ from: '2026-07-31T23:00:00.000Z', by: '2026-07-01' });
    expect(at('2027-01-01T00:00:00Z')).toEqual({
      from: '2027-01-01T00:00:00.000Z',
      before: { from: '2026-12-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' },
      by: '2026-12-01',
      whole: false,
    });
    expect(startOfMonth(new Date('2026-07-31T23:30:00Z'))).toBe('2026-07-31T23:00:00.000Z');
  });

  it('is compared correctly through the hours that clocks skip or repeat', () => {
    // 29 March, 1:30 am, was skipped; 25 October, 1:30 am, came twice.
    expect(at('2026-04-29T00:30:00Z').before.until).toBe('2026-03-29T01:30:00.000Z');
    expect(at('2026-11-25T01:30:00Z').before.until).toBe('2026-10-25T00:30:00.000Z');
  });
});
