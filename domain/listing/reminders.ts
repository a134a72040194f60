import { REMINDERS } from '#domain/kernel/policy.ts';

/** Milliseconds that a reminder stays due; the last one ends with the start. */
const OPEN_FOR = Math.min(...REMINDERS);

const timesOf = (startsAt: string) =>
  REMINDERS.map((before) => ({ before, at: Date.parse(startsAt) - before }));

/** Milliseconds since 1970; undefined after the last reminder. */
export const nextReminder = (startsAt: string, now: number): number | undefined =>
  timesOf(startsAt).find(({ at }) => at > now)?.at;

/** Milliseconds: `before` the start, and `at`, due since. */
export const dueReminder = (
  startsAt: string,
  now: number,
): { readonly before: number; readonly at: number } | undefined =>
  timesOf(startsAt).find(({ at }) => at <= now && now < at + OPEN_FOR);
