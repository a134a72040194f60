import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { type KeyRef, type KeyStore, WrongMasterKey } from './key-store.ts';

/**
 * Opens one of the stored keys, whichever comes first. With another master key the site would start, but could read no
 * personal data, and would seal new ones apart from the old.
 * @throws CannotStart where the master key is not the one of before
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
