/** Months by London's clock, and what a month that isn't over is compared with. */
import { daysAfter, HOME_ZONE, toInstant, toWallClock } from './zone.ts';

const MINUTE = 60_000;

const midnight = (date: string): string => toInstant({ date, time: '00:00' }, HOME_ZONE);

const firstOf = (date: string): string => `${date.slice(0, 7)}-01`;

/** The instant at which the month began, ISO 8601. */
export const startOfMonth = (now: Date): string =>
  midnight(firstOf(toWallClock(now.toISOString(), HOME_ZONE).date));

/** This month up to now, and as much of the month before. Instants are ISO 8601. */
export interface MonthSoFar {
  readonly from: string;
  /** From the month's first instant on, and before the instant at which its clocks showed what they show now. */
  readonly before: { readonly from: string; readonly until: string };
  /** The last day of `before`: `2026-10-24`. */
  readonly by: string;
  /** `before` is the whole month, since it has no day like today: on the 29th to 31st. */
  readonly whole: boolean;
}

/** What to compare at an instant, so that a month that has only begun isn't held against a whole one. */
export const monthSoFar = (now: Date): MonthSoFar => {
  const { date, time } = toWallClock(now.toISOString(), HOME_ZONE);
  const first = firstOf(date);
  const last = daysAfter(first, -1);
  const alike = last.slice(0, 8) + date.slice(8);
  const whole = alike > last;
  // A wall clock has no seconds.
  const until = (): number =>
    Date.parse(toInstant({ date: alike, time }, HOME_ZONE)) + (now.getTime() % MINUTE);
  return {
    from: midnight(first),
    before: {
      from: midnight(firstOf(last)),
      until: whole ? midnight(first) : new Date(until()).toISOString(),
    },
    by: whole ? last : alike,
    whole,
  };
};
