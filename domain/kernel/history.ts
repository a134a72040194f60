/** The history of a booking, which its customer reads: its events, each in the words that it is declared with. */
import { type Declaration, defineEvent, type EventSchema } from './event.ts';
import type { WallClock } from './zone.ts';

export const HISTORY_KINDS = [
  'held',
  'released',
  'paid',
  'booked',
  'unfilled',
  'mailed',
  'downloaded',
  'scanned',
  'refused',
  'scan-undone',
  'rescheduled',
  'cancelled',
  'reinstated',
  'reissued',
  'refund-requested',
  'refund-approved',
  'refund-denied',
  'refund-reset',
  'refund-submitted',
  'refund-failed',
  'refunded',
  'disputed',
] as const;

/** An event in words. Where `by` is null, the site did it. */
export interface HistoryEntry {
  readonly kind: (typeof HISTORY_KINDS)[number];
  readonly title: string;
  readonly detail: string | null;
  readonly by: string | null;
}

export const entry = (
  kind: HistoryEntry['kind'],
  title: string,
  detail: string | null = null,
  by: string | null = null,
): HistoryEntry => ({ kind, title, detail, by });

/** Formats times at the venue: `Fri 4 Dec, 7:30 pm`, with the year if it is not the year in which the event happened. */
export interface HistoryTimes {
  instant(at: string): string;
  clock(at: WallClock): string;
}

/** An event in words; null for what says nothing to a customer. */
export type History<Data> = (data: Data, times: HistoryTimes) => HistoryEntry | null;

/** The schema of an event in a stream that a booking's history reads. */
export interface BookingEventSchema<
  Data extends object,
  Entity extends string = string,
  Work extends boolean = boolean,
> extends EventSchema<Data, Entity, Work> {
  /** Null for an event that is never shown. */
  readonly history: History<Data> | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry of differing schemas has no narrower common type
export type BookingEventSchemas = Readonly<Record<string, BookingEventSchema<any>>>;

/** Declares a type of event in a stream that a booking's history reads (`query-api/queries/trail.ts`). */
export const defineBookingEvent =
  <Data extends object>() =>
  <const Work extends boolean, const Entity extends string = never>(
    declared: Declaration<Data, Entity, Work> & { readonly history: History<Data> | null },
  ): BookingEventSchema<Data, Entity, Work> => ({
    ...defineEvent<Data>()<Work, Entity>(declared),
    history: declared.history,
  });

/** `1 ticket`, `2 tickets` */
export const countTickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);
