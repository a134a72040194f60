import type { KeyStore } from './key-store.ts';

const PREFIX = 'visitor-';
const DAY = 86_400_000;

/** Milliseconds after the month: 90 days. */
const VISITOR_KEY_LIFE = 90 * DAY;

export const visitorKey = (at: string): string => PREFIX + at.slice(0, 7);

export const destroyOldVisitorKeys = async (
  keys: Pick<KeyStore, 'list' | 'destroy'>,
  now: Date,
): Promise<readonly string[]> => {
  const old = (await keys.list(PREFIX)).filter((subject) => {
    const month = /^visitor-(\d{4})-(\d{2})$/.exec(subject);
    // `Date.UTC` counts months from 0: this is the next month's start.
    return month && Date.UTC(Number(month[1]), Number(month[2])) + VISITOR_KEY_LIFE <= now.getTime();
  });
  for (const subject of old) await keys.destroy(subject);
  return old;
};
