/**
 * Time zones: turns the date and time at a venue into an instant and back, and writes dates and times for people. It uses only `Intl`.
 */

const DAY = 86_400_000;

/** Date and time on a clock at some place: `YYYY-MM-DD` and `HH:mm`. */
export interface WallClock {
  readonly date: string;
  readonly time: string;
}

/** The time zone of a city that does not name another. */
export const HOME_ZONE = 'Europe/London';

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, format);
  return format;
};

/** What a clock in a zone shows at an instant. Both are milliseconds since 1970; the result is read as if it were UTC. */
const shown = (at: number, zone: string): number => {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

/**
 * The instant at which a clock in the zone shows a date and time, as ISO 8601 in UTC. If the clock shows it twice (in autumn) it is the
 * earlier instant; if the clock skips it (in spring) it is later by as much as was skipped.
 * @throws RangeError for an unknown zone, or for text that is no date or time
 */
export const toInstant = ({ date, time }: WallClock, zone: string): string => {
  const wall = Date.parse(`${date}T${time}:00Z`);
  if (Number.isNaN(wall)) throw new RangeError(`Not a date and a time: ${date} ${time}`);
  // No zone is more than 14 hours from UTC, and none changes twice within two days.
  const before = shown(wall - DAY, zone) - (wall - DAY);
  const after = shown(wall + DAY, zone) - (wall + DAY);
  const fitting = [wall - before, wall - after].filter((at) => shown(at, zone) === wall);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : wall - before).toISOString();
};

/** The date and time in a zone at an instant. */
export const toWallClock = (at: string, zone: string): WallClock => {
  const [date = '', time = ''] = new Date(shown(Date.parse(at), zone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
};

/** The date so many days later, or before. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** The ends of days by date and zone. Each answer about a booking needs one, and `Intl` takes 20 µs to compute it. */
const ends = new Map<string, string>();
const MOST_ENDS = 10_000;

/** The instant at which a day ends in the zone: the next midnight. */
export const endOfDay = (date: string, zone: string): string => {
  const asked = `${date} ${zone}`;
  const known = ends.get(asked);
  if (known !== undefined) return known;
  const end = toInstant({ date: daysAfter(date, 1), time: '00:00' }, zone);
  if (ends.size >= MOST_ENDS) ends.clear();
  ends.set(asked, end);
  return end;
};

const words = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (at: number) => format.format(at);
};
const weekday = words({ weekday: 'short' });
const month = words({ month: 'short' });
const longDate = words({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** `19:30` → `7:30 pm`, `19:00` → `7 pm`, `00:15` → `12:15 am`. */
export const sayTime = (time: string): string => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const minute = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `${hours % 12 || 12}${minute} ${hours < 12 ? 'am' : 'pm'}`;
};

/** The year that it is in London at an instant. */
export const yearAt = (at: string): number => Number(toWallClock(at, HOME_ZONE).date.slice(0, 4));

/** `2026-12-04` → `Fri 4 Dec`, with the year if it is not `thisYear`. */
export const sayDate = (date: string, thisYear: number): string => {
  const at = Date.parse(`${date}T00:00:00Z`);
  const day = new Date(at);
  const year = day.getUTCFullYear() === thisYear ? '' : ` ${day.getUTCFullYear()}`;
  return `${weekday(at)} ${day.getUTCDate()} ${month(at)}${year}`;
};

/** `2026-12-04` → `Friday 4 December 2026`. */
export const sayLongDate = (date: string): string =>
  longDate(Date.parse(`${date}T00:00:00Z`)).replace(',', '');

/** A date and time for people: `Fri 4 Dec, 7:30 pm`, with the year if it is not `thisYear`. */
export const sayWhen = ({ date, time }: WallClock, thisYear: number): string =>
  `${sayDate(date, thisYear)}, ${sayTime(time)}`;

/** An instant for people, in a time zone: `Fri 4 Dec, 7:30 pm`. */
export const sayInstant = (at: string, zone: string, thisYear: number): string =>
  sayWhen(toWallClock(at, zone), thisYear);
