import type { KeyStore } from './key-store.ts';

const PREFIX = 'visitor-';
const DAY = 86_400_000;

/** A visitor's address is kept sealed for this long after its month has ended, in milliseconds: 90 days. */
const VISITOR_KEY_LIFE = 90 * DAY;

/** The key that seals addresses in the month of an ISO instant: `visitor-2026-11`. */
export const visitorKey = (at: string): string => PREFIX + at.slice(0, 7);

/** Destroys the keys of months that ended 90 days ago or more; returns their names. A daily job. */
export const destroyOldVisitorKeys = async (
  keys: Pick<KeyStore, 'list' | 'destroy'>,
  now: Date,
): Promise<readonly string[]> => {
  const old = (await keys.list(PREFIX)).filter((subject) => {
    const month = /^visitor-(\d{4})-(\d{2})$/.exec(subject);
    // Months count from 0 in `Date.UTC`, so this is the first instant of the next one.
    return month && Date.UTC(Number(month[1]), Number(month[2])) + VISITOR_KEY_LIFE <= now.getTime();
  });
  for (const subject of old) await keys.destroy(subject);
  return old;
};
