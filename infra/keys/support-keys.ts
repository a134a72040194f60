import { SUPPORT_KEYS } from '#domain/support/events.ts';
import type { KeyStore } from './key-store.ts';

/** What somebody wrote to support without being signed in is kept for this long, in milliseconds: two years. */
const SUPPORT_KEY_LIFE = 2 * 366 * 86_400_000;

/** Destroys the keys of such messages of two years ago or more; returns their names. A daily job. */
export const destroyOldSupportKeys = async (
  keys: Pick<KeyStore, 'list' | 'destroy'>,
  now: Date,
): Promise<readonly string[]> => {
  const old = await keys.list(SUPPORT_KEYS, new Date(now.getTime() - SUPPORT_KEY_LIFE));
  for (const subject of old) await keys.destroy(subject);
  return old;
};
