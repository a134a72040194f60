import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { type KeyRef, type KeyStore, WrongMasterKey } from './key-store.ts';

/**
 * Otherwise new data would be sealed under other keys.
 * @throws CannotStart where the master key has changed
 */
export const proveMasterKey = async (pool: Pick<Pool, 'query'>, keys: KeyStore): Promise<void> => {
  const { rows } = await pool.query<KeyRef>('SELECT subject, version FROM keys.subject_key LIMIT 1');
  try {
    await keys.fetch(rows);
  } catch (cause) {
    if (!(cause instanceof WrongMasterKey)) throw cause;
    const words =
      'MASTER_KEY is not the one that the personal data in this database is sealed with: give that one.';
    throw new CannotStart(words, { cause });
  }
};
