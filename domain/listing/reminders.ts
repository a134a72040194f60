/** When people are reminded of an event that they have booked: seven days and 24 hours before it starts. */
import { REMINDERS } from '#domain/kernel/policy.ts';

/** For how long after its time a reminder may still go out, in milliseconds. The last one ends with the start. */
const OPEN_FOR = Math.min(...REMINDERS);

const timesOf = (startsAt: string) =>
  REMINDERS.map((before) => ({ before, at: Date.parse(startsAt) - before }));

/** When the next reminder after an instant is due, in milliseconds since 1970; undefined after the last. `startsAt` is an ISO instant. */
export const nextReminder = (startsAt: string, now: number): number | undefined =>
  timesOf(startsAt).find(({ at }) => at > now)?.at;

/** The reminder that is due at an instant: how long before the start it is, and since when it is due, in milliseconds; undefined if none is. */
export const dueReminder = (
  startsAt: string,
  now: number,
): { readonly before: number; readonly at: number } | undefined =>
  timesOf(startsAt).find(({ at }) => at <= now && now < at + OPEN_FOR);
