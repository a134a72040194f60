/** Unread events, not handled yet, wait for a newer program. Only one subscription may park: the table does not name it. */
import type { Pool, PoolClient } from 'pg';
import type { EventLog, RecordedEvent } from '#infra/event-log/event-log.ts';
import { keepable } from '#infra/postgres/keepable.ts';

export interface Unread {
  readonly event: RecordedEvent;
  readonly error: unknown;
}

export interface UnreadRow {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly error: string;
}

/** Parks an event, in the transaction that moves the checkpoint past it. */
export const parkUnread = async (client: PoolClient, { event, error }: Unread): Promise<void> => {
  const { position, stream, revision, type } = event;
  const why = keepable(error instanceof Error ? error.message : String(error));
  await client.query(
    `insert into app.unread_event (position, stream, revision, type, error) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [position, stream, revision, type, why],
  );
};

export const eachUnread = async (pool: Pool): Promise<readonly UnreadRow[]> => {
  const { rows } = await pool.query<UnreadRow>(
    'select position, stream, revision, type, error from app.unread_event order by position',
  );
  return rows;
};

export const unpark = async (client: PoolClient, position: string): Promise<boolean> => {
  const { rowCount } = await client.query('delete from app.unread_event where position = $1', [position]);
  return rowCount === 1;
};

export const readAgain = async (
  log: EventLog,
  { stream, revision }: UnreadRow,
): Promise<RecordedEvent | undefined> => {
  for await (const event of log.readStream(stream, { from: revision, limit: 1 })) return event;
  return undefined;
};
