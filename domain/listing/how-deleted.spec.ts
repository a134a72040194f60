import { describe, expect, it } from 'vitest';
import { howDeleted } from './how-deleted.ts';

const schedule = {
  date: '2026-10-03',
  time: '20:00',
  zone: 'Europe/London',
  startsAt: '2026-10-03T19:00:00Z',
};
const at = (now: string, { refund, archived = false }: { refund?: boolean; archived?: boolean } = {}) => {
  try {
    return howDeleted({ schedule, archived }, refund, new Date(now));
  } catch (error) {
    return (error as Error).message;
  }
};
const BEFORE = '2026-10-03T18:59:59Z';
const DURING = '2026-10-03T19:00:00Z';
const LAST_MINUTE = '2026-10-04T00:59:59Z';
const AFTER = '2026-10-04T01:00:00Z';

describe('deleting an event', () => {
  it('refunds the bookings if it lies ahead, and keeps them if its day is over', () => {
    expect(at(BEFORE)).toBe('cancelled');
    expect(at(BEFORE, { refund: true })).toBe('cancelled');
    expect(at(AFTER)).toBe('kept');
    expect(at(AFTER, { refund: true })).toBe('cancelled');
  });

  it('never keeps bookings for an event that lies ahead', () => {
    for (const now of [BEFORE, DURING, LAST_MINUTE])
      expect(at(now, { refund: false })).toMatch(/^This event’s day isn’t over/);
  });

  it('waits while the event is on, unless the deletion began before', () => {
    for (const now of [DURING, LAST_MINUTE]) {
      expect(at(now)).toMatch(/^This event has begun/);
      expect(at(now, { archived: true })).toBe('cancelled');
    }
  });

  it('is refused for an event that does not exist', () => {
    const none = { schedule: null, archived: false };
    expect(() => howDeleted(none, undefined, new Date(BEFORE))).toThrow();
  });
});
