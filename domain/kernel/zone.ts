const DAY = 86_400_000;

export interface WallClock {
  readonly date: string;
  readonly time: string;
}

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

/** Wall-clock time in a zone; milliseconds, as if it were UTC. */
const shown = (at: number, zone: string): number => {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

/**
 * ISO 8601 in UTC. An ambiguous time (autumn) means the earlier instant; a skipped one (spring) moves later
 * by the gap.
 * @throws RangeError
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

export const toWallClock = (at: string, zone: string): WallClock => {
  const [date = '', time = ''] = new Date(shown(Date.parse(at), zone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
};

export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** `Intl` takes 20 µs, and each booking answer needs one. */
const ends = new Map<string, string>();
const MOST_ENDS = 10_000;

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

export const sayTime = (time: string): string => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const minute = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `${hours % 12 || 12}${minute} ${hours < 12 ? 'am' : 'pm'}`;
};

export const yearAt = (at: string): number => Number(toWallClock(at, HOME_ZONE).date.slice(0, 4));

export const sayDate = (date: string, thisYear: number): string => {
  const at = Date.parse(`${date}T00:00:00Z`);
  const day = new Date(at);
  const year = day.getUTCFullYear() === thisYear ? '' : ` ${day.getUTCFullYear()}`;
  return `${weekday(at)} ${day.getUTCDate()} ${month(at)}${year}`;
};

export const sayLongDate = (date: string): string =>
  longDate(Date.parse(`${date}T00:00:00Z`)).replace(',', '');

export const sayWhen = ({ date, time }: WallClock, thisYear: number): string =>
  `${sayDate(date, thisYear)}, ${sayTime(time)}`;

export const sayInstant = (at: string, zone: string, thisYear: number): string =>
  sayWhen(toWallClock(at, zone), thisYear);
