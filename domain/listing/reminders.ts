import { REMINDERS } from '#domain/kernel/policy.ts';

/** Milliseconds for which a reminder stays due; the last one only until the start. */
const OPEN_FOR = Math.min(...REMINDERS);

const timesOf = (startsAt: string) =>
  REMINDERS.map((before) => ({ before, at: Date.parse(startsAt) - before }));

/** Milliseconds since 1970; undefined after the last reminder. */
export const nextReminder = (startsAt: string, now: number): number | undefined =>
  timesOf(startsAt).find(({ at }) => at > now)?.at;

/** `before` (the start) and `at` (when it became due) are in milliseconds. */
export const dueReminder = (
  startsAt: string,
  now: number,
): { readonly before: number; readonly at: number } | undefined =>
  timesOf(startsAt).find(({ at }) => at <= now && now < at + OPEN_FOR);
