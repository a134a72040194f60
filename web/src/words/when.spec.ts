import { expect, test } from 'vitest';
import { pounds, priceOf } from './money.ts';
import { clock, countdown, moment, soon, when } from './when.ts';

test('times are said as people say them', () => {
  expect(clock('19:30')).toBe('7:30 pm');
  expect(clock('00:00')).toBe('12 am');
  expect(clock('12:05')).toBe('12:05 pm');
  const year = new Date().getFullYear();
  expect(when({ date: `${year}-12-04`, time: '19:30' })).toMatch(/^\w{3} 4 Dec, 7:30 pm$/);
  expect(when({ date: '2031-12-04', time: '20:00' })).toBe('Thu 4 Dec 2031, 8 pm');
});

test('an instant is shown on the clock at the venue', () => {
  expect(moment('2031-07-01T18:30:00Z')).toBe('Tue 1 Jul 2031, 7:30 pm');
});

test('what is near says so, by the day at the venue', () => {
  const now = new Date('2031-07-01T23:30:00Z');
  expect(soon({ date: '2031-07-02', time: '19:30', zone: 'Europe/London' }, now)).toBe('Tonight');
  expect(soon({ date: '2031-07-02', time: '13:00', zone: 'Europe/London' }, now)).toBe('Today');
  expect(soon({ date: '2031-07-03', time: '13:00', zone: 'Europe/London' }, now)).toBe('Tomorrow');
  expect(soon({ date: '2031-07-04', time: '13:00', zone: 'Europe/London' }, now)).toBeUndefined();
});

test('a countdown reaches zero and stays there', () => {
  expect(countdown(14 * 60_000 + 4_200)).toBe('14:05');
  expect(countdown(-5)).toBe('0:00');
});

test('money has its separators', () => {
  expect(pounds('1250.00')).toBe('£1,250.00');
  expect(pounds('28.50')).toBe('£28.50');
  expect(priceOf('0.00')).toBe('Free');
});
