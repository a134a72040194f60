import type { Pool } from 'pg';
import type { accountEvents } from '#domain/account/events.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import { type newsletterEvents, newsletterKey } from '#domain/newsletter/events.ts';
import { hasReached } from '#infra/event-log/checkpoint.ts';
import { type EventLog, type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';

type Erasure = Extract<
  EventOf<typeof accountEvents> | EventOf<typeof newsletterEvents>,
  { type: 'AccountErased' | 'NewsletterErased' }
>;
const ERASURES: readonly Erasure['type'][] = ['AccountErased', 'NewsletterErased'];

const subjectsOf = ({ type, data }: RecordedEvent): readonly string[] => {
  const erasure = { type, data: JSON.parse(data) } as Erasure;
  return erasure.type === 'AccountErased' ? [erasure.data.accountId] : erasure.data.keys.map(newsletterKey);
};

/** Restored keys may be older than the log. Must run at every start before serving. Returns the subjects. */
export const applyErasures = async (
  pool: Pool,
  log: EventLog,
  keys: Pick<KeyStore, 'destroy'>,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ position: string }>(
    'SELECT position FROM keys.erasures_applied WHERE log_id = $1',
    [log.id],
  );
  const kept = rows[0]?.position ?? START;
  // The keys' backup may be newer than the log's.
  const before = (await hasReached(log, kept)) ? kept : START;
  let position = before;
  const erased: string[] = [];
  for await (const batch of log.readAll(before, { filter: { types: ERASURES }, pageSize: 5_000 })) {
    position = batch.position;
    for (const subject of batch.events.flatMap(subjectsOf)) {
      await keys.destroy(subject);
      erased.push(subject);
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
