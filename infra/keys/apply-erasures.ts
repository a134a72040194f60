import type { Pool } from 'pg';
import type { accountEvents } from '#domain/account/events.ts';
import { type EventLog, START } from '#infra/event-log/event-log.ts';
import type { KeyStore } from './key-store.ts';

const ERASED: keyof typeof accountEvents = 'AccountErased';

/**
 * Destroys the keys of everybody whom the log says to be erased: after a restore the keys may be older than the log
 * (DESIGN 9). Looks only at what came since it last looked at this log. Called at every start, before anything is served.
 * Returns whose keys it destroyed.
 */
export const applyErasures = async (
  pool: Pool,
  log: EventLog,
  keys: Pick<KeyStore, 'destroy'>,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ position: string }>(
    'SELECT position FROM keys.erasures_applied WHERE log_id = $1',
    [log.id],
  );
  const before = rows[0]?.position ?? START;
  let position = before;
  const erased: string[] = [];
  for await (const batch of log.readAll(before, { filter: { types: [ERASED] }, pageSize: 5_000 })) {
    position = batch.position;
    for (const { data } of batch.events) {
      const { accountId } = JSON.parse(data) as { accountId: string };
      await keys.destroy(accountId);
      erased.push(accountId);
    }
  }
  if (position === before) return erased;
  await pool.query(
    `INSERT INTO keys.erasures_applied (log_id, position) VALUES ($1, $2)
     ON CONFLICT (log_id) DO UPDATE SET position = excluded.position`,
    [log.id, position],
  );
  return erased;
};
