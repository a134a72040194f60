/** Dates and times for people, in the venue's time zone. The year is left out if it is this year. */
import { sayDate, sayInstant, sayWhen, toWallClock } from '#domain/zone.ts';

/** `2026-12-04` → `Fri 4 Dec`. */
export const day = (date: string, now = new Date()): string => sayDate(date, now.getFullYear());

/** An event's date and time: `Fri 4 Dec, 7:30 pm`. */
export const when = (event: { date: string; time: string }, now = new Date()): string =>
  sayWhen(event, now.getFullYear());

/** The next day of the calendar, also after a day of 23 or 25 hours. */
const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** `Tonight`, `Today` or `Tomorrow`, by the date at the venue; undefined for any other day. */
export const soon = (
  event: { date: string; time: string; zone: string },
  now = new Date(),
): string | undefined => {
  const today = toWallClock(now.toISOString(), event.zone).date;
  if (event.date === today) return event.time >= '17:00' ? 'Tonight' : 'Today';
  if (event.date === dayAfter(today)) return 'Tomorrow';
  return undefined;
};

/** An instant (ISO 8601) in the venue's time zone: `Fri 4 Dec, 7:30 pm`. */
export const moment = (instant: string, zone = 'Europe/London'): string =>
  sayInstant(instant, zone, new Date().getFullYear());

/** Milliseconds as minutes and seconds: `14:05`. Never below `0:00`. */
export const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
