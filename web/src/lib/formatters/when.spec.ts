import { expect, test } from 'vitest';
import { pounds, priceOf } from './money.ts';
import { ago, countdown, moment, soon, when } from './when.ts';

test('times are shown as people say them', () => {
  const now = new Date('2026-07-01T12:00:00Z');
  expect(when({ date: '2026-12-04', time: '19:30' }, now)).toBe('Fri 4 Dec, 7:30 pm');
  expect(when({ date: '2031-12-04', time: '20:00' }, now)).toBe('Thu 4 Dec 2031, 8 pm');
});

test('an instant is shown on the clock at the venue', () => {
  expect(moment('2031-07-01T18:30:00Z')).toBe('Tue 1 Jul 2031, 7:30 pm');
});

test('tonight, today and tomorrow follow the date at the venue', () => {
  const now = new Date('2031-07-01T23:30:00Z');
  expect(soon({ date: '2031-07-02', time: '19:30', zone: 'Europe/London' }, now)).toBe('Tonight');
  expect(soon({ date: '2031-07-02', time: '13:00', zone: 'Europe/London' }, now)).toBe('Today');
  expect(soon({ date: '2031-07-03', time: '13:00', zone: 'Europe/London' }, now)).toBe('Tomorrow');
  expect(soon({ date: '2031-07-04', time: '13:00', zone: 'Europe/London' }, now)).toBeUndefined();
});

test('tomorrow is the next calendar day, also after a day of 23 or 25 hours', () => {
  const said = (now: string, date: string) =>
    soon({ date, time: '13:00', zone: 'Europe/London' }, new Date(now));
  // The clocks go forward on 28 March 2027, and back on 31 October.
  expect(said('2027-03-27T23:30:00Z', '2027-03-28')).toBe('Tomorrow');
  expect(said('2027-03-27T23:30:00Z', '2027-03-29')).toBeUndefined();
  expect(said('2027-10-30T23:30:00Z', '2027-10-31')).toBe('Today');
  expect(said('2027-10-30T23:30:00Z', '2027-11-01')).toBe('Tomorrow');
});

test('a countdown reaches zero and stays there', () => {
  expect(countdown(14 * 60_000 + 4_200)).toBe('14:05');
  expect(countdown(-5)).toBe('0:00');
});

test('a recent time is shown in minutes, then in hours', () => {
  const after = (minutes: number) => ago('2031-07-01T18:30:00Z', Date.UTC(2031, 6, 1, 18, 30 + minutes));
  expect([-1, 0, 1, 59, 60, 150].map(after)).toEqual([
    'just now',
    'just now',
    'a minute ago',
    '59 minutes ago',
    'an hour ago',
    '2 hours ago',
  ]);
});

test('thousands of pounds are separated by commas', () => {
  expect(pounds('1250.00')).toBe('£1,250.00');
  expect(pounds('28.50')).toBe('£28.50');
  expect(priceOf('0.00')).toBe('Free');
});
