/** Opens an event log with the adapter for its address. */

import type { EventLog } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import type { Clock } from '#infra/lib/clock.ts';

export interface OpenOptions {
  /** TESTS ONLY: appends without comparing revisions, as the adapters say. */
  readonly unsafelySkipRevisionCheck?: boolean;
  /** For a copy into EventStoreDB: see there. */
  readonly inOrder?: boolean;
  /** The clock for the time at which the log took an event, where the store has none of ours. Default: this machine's. */
  readonly now?: Clock;
}

/**
 * Opens the log at `postgres://…` or `esdb://…`.
 * @throws CannotStart for another scheme; LogUnavailable, or the database's own error, when the store can't be reached
 */
export const openEventLogAt = async (url: string, options: OpenOptions = {}): Promise<EventLog> => {
  // Not `new URL`: the address of an EventStoreDB may name several nodes.
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql') return PostgresEventLog.open({ url, ...options });
  if (scheme === 'esdb' || scheme === 'esdb+discover') {
    // Who keeps the log in PostgreSQL need not hold gRPC in memory.
    const { EventStoreDbLog } = await import('#infra/event-log/eventstoredb/event-log.ts');
    return EventStoreDbLog.open({ url, ...options });
  }
  throw new CannotStart('An event log is at postgres://… or at esdb://…, and nowhere else.');
};
