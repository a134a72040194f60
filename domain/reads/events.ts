import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** ISO instants. */
export interface LogFilter {
  readonly from?: string;
  readonly to?: string;
  readonly actor?: string;
  readonly stream?: string;
  readonly type?: string;
  readonly correlation?: string;
}

/** Stream `reads-{day}`. No decision depends on it. */
export const readsEvents = {
  DataExported: defineEvent<{ what: string; rows: number }>()({
    audit: ['create', 'export', ({ what, rows }) => `${what}, ${rows} rows`],
    work: false,
  }),
  GuestsShown: defineEvent<{ listingId: number | null; bookings: readonly number[] }>()({
    audit: ['create', 'look-up', 'Guests shown at the door'],
    work: false,
  }),
  /** `search` may name a person: sealed with the key of the `month` (`2026-11`), which is destroyed later. */
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
