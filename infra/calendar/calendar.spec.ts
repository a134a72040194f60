import { expect, it } from 'vitest';
import { extrasOf } from '#domain/listing/extras.ts';
import { calendarOf } from './calendar.ts';

const EVENT = {
  ...{
    id: 7,
    title: 'Paper Moons',
    venue: 'Corn Exchange',
    location: 'Call Lane, Leeds',
  },
  ...extrasOf(),
  ...{ date: '2031-07-18', time: '20:00', zone: 'Europe/London', startsAt: '2031-07-18T19:00:00.000Z' },
};

const made = (now: string, changes: object = {}): ReadonlyMap<string, string> => {
  const site = { siteName: 'Reprise', baseUrl: 'https://reprise.example:8443', now: new Date(now) };
  const lines = calendarOf({ ...EVENT, ...changes }, site)
    .toString()
    .split('\r\n');
  return new Map(lines.map((line) => line.split(/[:;](.*)/s) as [string, string]));
};

it('a moved event’s calendar file replaces the one made before', () => {
  const first = made('2031-05-01T12:00:00Z');
  const moved = made('2031-05-01T12:01:00Z', { startsAt: '2031-07-19T19:00:00.000Z' });
  expect(first.get('UID')).toBe('event-7@reprise.example');
  expect(moved.get('UID')).toBe(first.get('UID'));
  expect([first.get('DTSTART'), moved.get('DTSTART')]).toEqual(['20310718T190000Z', '20310719T190000Z']);
  expect(Number(moved.get('SEQUENCE'))).toBeGreaterThan(Number(first.get('SEQUENCE')));
});

it.each([
  [{ doors: '19:00', lastEntry: '22:00' }, 'Doors at 7 pm · Last entry 10 pm\\, local time.'],
  [{ doors: '19:00' }, 'Doors at 7 pm\\, local time.'],
  [{ lastEntry: '01:30' }, 'Last entry 1:30 am\\, local time.'],
  [{}, undefined],
])('a calendar file shows %j in the venue’s local time', (extras, description) => {
  expect(made('2031-05-01T12:00:00Z', extras).get('DESCRIPTION')).toBe(description);
});
