import type { EventLog } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Clock } from '#infra/lib/clock.ts';

export interface OpenOptions {
  readonly unsafelySkipRevisionCheck?: boolean;
  readonly inOrder?: boolean;
  readonly now?: Clock;
}

/** @throws CannotStart for another scheme; LogUnavailable, or the database's own error, when the store can't be reached */
export const openEventLogAt = async (url: string, options: OpenOptions = {}): Promise<EventLog> => {
  // Not `new URL`: an EventStoreDB address may name several nodes.
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql') return PostgresEventLog.open({ url, ...options });
  if (scheme === 'esdb' || scheme === 'esdb+discover') {
    const { EventStoreDbLog } = await import('#infra/event-log/eventstoredb/event-log.ts');
    return EventStoreDbLog.open({ url, ...options });
  }
  throw new CannotStart('An event log is at postgres://… or at esdb://…, and nowhere else.');
};
