/** Picks the log's adapter by where the log is. */
import { CannotStart } from '#infra/cannot-start.ts';
import type { EventLog } from './event-log.ts';
import { EventStoreDbLog } from './eventstoredb.ts';
import { PostgresEventLog } from './postgres.ts';

export interface OpenOptions {
  /** `esdb://…`: the log is in EventStoreDB. */
  readonly eventStoreUrl?: string;
  /** Where it isn't: the log is in this PostgreSQL. */
  readonly databaseUrl?: string;
  /** TESTS ONLY, see the adapters: no revision is checked, and everything that relies on it fails. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/** Opens the log; `eventStoreUrl` goes before `databaseUrl`. @throws if the store can't be reached, or none is named */
export const openEventLog = ({
  eventStoreUrl,
  databaseUrl,
  unsafelySkipRevisionCheck,
}: OpenOptions): Promise<EventLog> => {
  if (eventStoreUrl) return EventStoreDbLog.open({ url: eventStoreUrl, unsafelySkipRevisionCheck });
  if (databaseUrl) return PostgresEventLog.open({ url: databaseUrl, unsafelySkipRevisionCheck });
  throw new TypeError('no place for the event log: neither an EventStoreDB nor a PostgreSQL is named');
};

/** Opens the log that one address names, by its scheme. @throws CannotStart for a scheme that no adapter has */
export const openEventLogAt = (
  url: string,
  options: Omit<OpenOptions, 'eventStoreUrl' | 'databaseUrl'> = {},
): Promise<EventLog> => {
  // Not `new URL`: an EventStoreDB's address may name several nodes.
  const protocol = url.slice(0, url.indexOf(':') + 1);
  if (protocol === 'postgres:' || protocol === 'postgresql:')
    return openEventLog({ ...options, databaseUrl: url });
  if (protocol === 'esdb:' || protocol === 'esdb+discover:')
    return openEventLog({ ...options, eventStoreUrl: url });
  throw new CannotStart('An event log is at postgres://… or at esdb://…, and nowhere else.');
};
