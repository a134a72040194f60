import { daysAfter, HOME_ZONE, toInstant, toWallClock } from './zone.ts';

const MINUTE = 60_000;

const midnight = (date: string): string => toInstant({ date, time: '00:00' }, HOME_ZONE);

const firstOf = (date: string): string => `${date.slice(0, 7)}-01`;

export const startOfMonth = (now: Date): string =>
  midnight(firstOf(toWallClock(now.toISOString(), HOME_ZONE).date));

export interface MonthSoFar {
  readonly from: string;
  /** From the first of the month to the present wall-clock time (exclusive). */
  readonly before: { readonly from: string; readonly until: string };
  readonly by: string;
  /** That month has no such day (29th to 31st): `before` is all of it. */
  readonly whole: boolean;
}

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
