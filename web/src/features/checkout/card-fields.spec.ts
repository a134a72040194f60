import { expect, test } from 'vitest';
import { expiryOf, groupExpiry, groupNumber } from './card-fields.ts';

test('a pasted card number is grouped in fours', () => {
  expect(groupNumber('4242-4242 42424242')).toBe('4242 4242 4242 4242');
});

test('an expiry gets its slash while it is typed, and loses it while it is deleted', () => {
  expect(groupExpiry('12', '1')).toBe('12 / ');
  expect(groupExpiry('5', '')).toBe('05 / ');
  expect(groupExpiry('1230', '')).toBe('12 / 30');
  expect(groupExpiry('12 /', '12 / ')).toBe('12');
});

test('a year of four digits is kept, however it was entered', () => {
  expect(groupExpiry('12/2034', '')).toBe('12 / 2034');
  const typed = [...'122034'].reduce((text, key) => groupExpiry(text + key, text), '');
  expect(typed).toBe('12 / 2034');
  expect(expiryOf(typed)).toEqual({ month: '12', year: '2034' });
  expect(groupExpiry('12 / 345', '12 / 34')).toBe('12 / 34');
});

test('an expiry is a month and a year', () => {
  expect(expiryOf('04 / 31')).toEqual({ month: '04', year: '2031' });
});
