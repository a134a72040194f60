/** Dates and times in the venue's time zone. The current year is omitted. */
import { useSyncExternalStore } from 'react';
import { daysAfter, sayDate, sayInstant, sayWhen, toWallClock, yearAt } from '#domain/kernel/zone.ts';
import { serverNow } from '#web/lib/clock.ts';

const present = (): Date => new Date(serverNow());
const yearOf = (now: Date): number => yearAt(now.toISOString());

/** `2026-12-04` → `Fri 4 Dec`. */
export const day = (date: string, now = present()): string => sayDate(date, yearOf(now));

/** An event's date and time: `Fri 4 Dec, 7:30 pm`. */
export const when = (event: { date: string; time: string }, now = present()): string =>
  sayWhen(event, yearOf(now));

export const soon = (
  event: { date: string; time: string; zone: string },
  now = present(),
): string | undefined => {
  const today = toWallClock(now.toISOString(), event.zone).date;
  if (event.date === today) return event.time >= '17:00' ? 'Tonight' : 'Today';
  if (event.date === daysAfter(today, 1)) return 'Tomorrow';
  return undefined;
};

const eachMinute = (told: () => void): (() => void) => {
  const timer = setInterval(told, 60_000);
  return () => clearInterval(timer);
};

export const useSoon = (event: Parameters<typeof soon>[0]): string | undefined => {
  const now = () => soon(event);
  return useSyncExternalStore(eachMinute, now, now);
};

/** ISO 8601 instant in the venue's time zone: `Fri 4 Dec, 7:30 pm`. */
export const moment = (instant: string, zone = 'Europe/London'): string =>
  sayInstant(instant, zone, yearOf(present()));

/**
 * For the day itself: `just now`, `a minute ago`, `2 hours ago`.
 * @param now milliseconds since 1970
 */
export const ago = (instant: string, now: number): string => {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
};

/** Milliseconds as `14:05`; never below `0:00`. */
export const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
