import { type EventOf, type Personal, plain, sealed } from '#domain/kernel/personal.ts';

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
  DataExported: plain<{ what: string; rows: number }>(),
  /** A guest without a code was looked for at the door. `bookings` are those whose names were shown. */
  GuestsShown: plain<{ listingId: number | null; bookings: readonly number[] }>(),
  /**
   * Somebody read the log: the first page of what a filter leaves, or a file of all of it. `search` is what they typed, and may
   * name somebody: it is sealed with the key of the `month` (`2026-11`), which is destroyed after some time.
   */
  LogRead: sealed<{
    as: 'page' | 'ndjson' | 'csv';
    filter: LogFilter;
    search: Personal<string> | null;
    month: string;
  }>(['search'], ({ month }) => `visitor-${month}`),
  /** Somebody was shown what is sealed in an event. */
  SealedShown: plain<{ eventId: string; stream: string; revision: number; fields: readonly string[] }>(),
};
export type ReadsEvent = EventOf<typeof readsEvents>;
