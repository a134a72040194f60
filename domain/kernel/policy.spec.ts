import { describe, expect, it } from 'vitest';
import { REFUND_POLICY, refundPercent } from './policy.ts';

const startsAt = '2026-12-10T20:00:00.000Z';

describe('the refund policy', () => {
  it.each([
    ['a month before', '2026-11-10T20:00:00.000Z', 100],
    ['exactly 168 hours before', '2026-12-03T20:00:00.000Z', 100],
    ['a millisecond under 168 hours', '2026-12-03T20:00:00.001Z', 80],
    ['exactly 24 hours before', '2026-12-09T20:00:00.000Z', 80],
    ['a millisecond under 24 hours', '2026-12-09T20:00:00.001Z', 0],
    ['at the start', startsAt, 0],
    ['after the start', '2026-12-11T20:00:00.000Z', 0],
  ])('refunds by the time before the start: %s', (_, at, percent) => {
    expect(refundPercent(REFUND_POLICY, startsAt, at)).toBe(percent);
  });

  it('is the one in force when the booking was made', () => {
    expect(refundPercent([{ hours: 1, percent: 50 }], startsAt, '2026-12-10T19:00:00.000Z')).toBe(50);
    expect(refundPercent([], startsAt, '2026-01-01T00:00:00.000Z')).toBe(0);
  });
});
