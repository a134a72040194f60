import { describe, expect, it } from 'vitest';
import {
  endOfDay,
  sayDate,
  sayInstant,
  sayLongDate,
  sayTime,
  sayWhen,
  toInstant,
  toWallClock,
} from './zone.ts';

const london = 'Europe/London';

describe('the instant of a date and time', () => {
  it.each([
    ['winter', '2026-12-04', '19:30', london, '2026-12-04T19:30:00.000Z'],
    ['summer', '2026-07-04', '19:30', london, '2026-07-04T18:30:00.000Z'],
    [
      'the hour that autumn shows twice: the earlier',
      '2026-10-25',
      '01:30',
      london,
      '2026-10-25T00:30:00.000Z',
    ],
    ['just after that hour', '2026-10-25', '02:00', london, '2026-10-25T02:00:00.000Z'],
    [
      'the hour that spring leaves out: later by the jump',
      '2027-03-28',
      '01:30',
      london,
      '2027-03-28T01:30:00.000Z',
    ],
    ['just before that hour', '2027-03-28', '00:59', london, '2027-03-28T00:59:00.000Z'],
    ['just after that hour', '2027-03-28', '02:00', london, '2027-03-28T01:00:00.000Z'],
    ['west of Greenwich, twice', '2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['west of Greenwich, left out', '2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    [
      'half an hour’s change, twice',
      '2026-04-05',
      '01:45',
      'Australia/Lord_Howe',
      '2026-04-04T14:45:00.000Z',
    ],
    ['far east', '2026-06-01', '00:15', 'Pacific/Kiritimati', '2026-05-31T10:15:00.000Z'],
    ['a leap day', '2028-02-29', '23:59', london, '2028-02-29T23:59:00.000Z'],
  ])('is found for %s', (_, date, time, zone, instant) => {
    expect(toInstant({ date, time }, zone)).toBe(instant);
  });

  it('round-trips through every hour of a year', () => {
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 3_600_000) {
      const iso = new Date(at).toISOString();
      const back = toInstant(toWallClock(iso, london), london);
      // The second showing of autumn's hour is the one instant that a wall clock can't name.
      expect(back).toBe(iso === '2026-10-25T01:00:00.000Z' ? '2026-10-25T00:00:00.000Z' : iso);
    }
  });

  it('is refused for text that is no time or zone', () => {
    expect(() => toInstant({ date: '2026-12-04', time: 'noon' }, london)).toThrow(RangeError);
    expect(() => toInstant({ date: '2026-12-04', time: '12:00' }, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('the end of a day', () => {
  it.each([
    ['2026-12-04', '2026-12-05T00:00:00.000Z'],
    ['2026-07-31', '2026-07-31T23:00:00.000Z'],
    ['2026-10-25', '2026-10-26T00:00:00.000Z'],
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
  ])('is midnight at the venue: %s', (date, instant) => {
    expect(endOfDay(date, london)).toBe(instant);
  });
});

describe('dates and times for people', () => {
  it('show a short date and a time', () => {
    expect(sayWhen({ date: '2026-12-04', time: '19:30' }, 2026)).toBe('Fri 4 Dec, 7:30 pm');
    expect(sayInstant('2026-07-04T18:30:00.000Z', london, 2026)).toBe('Sat 4 Jul, 7:30 pm');
  });

  it('show the year if it is another one', () => {
    expect(sayDate('2027-01-01', 2026)).toBe('Fri 1 Jan 2027');
    expect(sayDate('2026-01-01', 2026)).toBe('Thu 1 Jan');
  });

  it('can be a whole date', () => {
    expect(sayLongDate('2026-12-04')).toBe('Friday 4 December 2026');
  });

  it.each([
    ['00:00', '12 am'],
    ['00:15', '12:15 am'],
    ['09:05', '9:05 am'],
    ['12:00', '12 pm'],
    ['12:30', '12:30 pm'],
    ['23:59', '11:59 pm'],
  ])('show %s as %s', (time, said) => {
    expect(sayTime(time)).toBe(said);
  });
});
