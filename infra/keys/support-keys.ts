import { SUPPORT_KEYS } from '#domain/support/events.ts';
import type { KeyStore } from './key-store.ts';

/** Milliseconds: two years. */
const SUPPORT_KEY_LIFE = 2 * 366 * 86_400_000;

export const destroyOldSupportKeys = async (
  keys: Pick<KeyStore, 'list' | 'destroy'>,
  now: Date,
): Promise<readonly string[]> => {
  const old = await keys.list(SUPPORT_KEYS, new Date(now.getTime() - SUPPORT_KEY_LIFE));
  for (const subject of old) await keys.destroy(subject);
  return old;
};
