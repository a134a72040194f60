/** Dates and times for people, in the venue's time zone. */

const formats = new Map<string, Intl.DateTimeFormat>();
const format = (zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = zone + JSON.stringify(options);
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  formats.set(key, made);
  return made;
};

/** `19:30` → `7:30 pm`, `20:00` → `8 pm`. */
export const clock = (time: string): string => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const half = hour < 12 ? 'am' : 'pm';
  const twelve = hour % 12 || 12;
  return minute === 0 ? `${twelve} ${half}` : `${twelve}:${String(minute).padStart(2, '0')} ${half}`;
};

const DAY = 86_400_000;

const utcOf = (date: string) => new Date(`${date}T12:00:00Z`);

/** The next day of the calendar, also after a day of 23 or 25 hours. */
const dayAfter = (date: string): string => new Date(utcOf(date).getTime() + DAY).toISOString().slice(0, 10);

/** `2026-12-04` → `Fri 4 Dec`, with the year if it is not this year. */
export const day = (date: string, now = new Date()): string => {
  const year = date.slice(0, 4) === String(now.getFullYear()) ? undefined : 'numeric';
  return format('UTC', { weekday: 'short', day: 'numeric', month: 'short', year })
    .format(utcOf(date))
    .replace(',', '');
};

/** `2026-12-04` → `Friday 4 December 2026`. */
export const longDay = (date: string): string =>
  format('UTC', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .format(utcOf(date))
    .replace(',', '');

/** An event's date and time: `Fri 4 Dec, 7:30 pm`. */
export const when = (event: { date: string; time: string }, now = new Date()): string =>
  `${day(event.date, now)}, ${clock(event.time)}`;

const isoDay = (instant: Date, zone: string): string =>
  format(zone, { dateStyle: 'short' }).format(instant).split('/').reverse().join('-');

/** `Tonight`, `Today` or `Tomorrow`, by the date at the venue; undefined for any other day. */
export const soon = (
  event: { date: string; time: string; zone: string },
  now = new Date(),
): string | undefined => {
  const today = isoDay(now, event.zone);
  if (event.date === today) return event.time >= '17:00' ? 'Tonight' : 'Today';
  if (event.date === dayAfter(today)) return 'Tomorrow';
  return undefined;
};

/** An instant (ISO 8601) in the venue's time zone: `Fri 4 Dec, 7:30 pm`. */
export const moment = (instant: string, zone = 'Europe/London'): string => {
  const at = new Date(instant);
  const time = format(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  return `${day(isoDay(at, zone))}, ${clock(time)}`;
};

/** Milliseconds as minutes and seconds: `14:05`. Never below `0:00`. */
export const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
