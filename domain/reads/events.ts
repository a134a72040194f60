import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** What the log was narrowed to by whoever read it. Instants are ISO; what was not asked for is missing. */
export interface LogFilter {
  readonly from?: string;
  readonly to?: string;
  readonly actor?: string;
  readonly stream?: string;
  readonly type?: string;
  readonly correlation?: string;
}

/** Events of `reads-{day}`: who took what out of the site. Nobody decides on them. */
export const readsEvents = {
  /** A list was exported. `what` is its name, as in the file's; `rows` is how many it had. */
  DataExported: defineEvent<{ what: string; rows: number }>()({
    audit: ['create', 'export', ({ what, rows }) => `${what}, ${rows} rows`],
    work: false,
  }),
  /** A guest without a code was looked for at the door. `bookings` are those whose names were shown. */
  GuestsShown: defineEvent<{ listingId: number | null; bookings: readonly number[] }>()({
    audit: ['create', 'look-up', 'Guests shown at the door'],
    work: false,
  }),
  /**
   * Somebody read the log: the first page of what a filter leaves, or a file of all of it. `search` is what they typed, and may
   * name somebody: it is sealed with the key of the `month` (`2026-11`), which is destroyed after some time.
   */
  LogRead: defineEvent<{
    as: 'page' | 'ndjson' | 'csv';
    filter: LogFilter;
    search: Personal<string> | null;
    month: string;
  }>()({
    sealed: ['search'],
    person: ({ month }) => `visitor-${month}`,
    audit: ['create', 'export', ({ as }) => `event log, as ${as}`],
    work: false,
  }),
  /** Somebody was shown what is sealed in an event. */
  SealedShown: defineEvent<{
    eventId: string;
    stream: string;
    revision: number;
    fields: readonly string[];
  }>()({
    audit: ['create', 'look-up', 'Sealed values of the event log shown'],
    work: false,
  }),
};
export type ReadsEvent = EventOf<typeof readsEvents>;
