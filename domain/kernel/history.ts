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

/** `by` is null for the site. */
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

/** Venue times: `Fri 4 Dec, 7:30 pm`, with the year if it differs from the event's. */
export interface HistoryTimes {
  instant(at: string): string;
  clock(at: WallClock): string;
}

/** Null hides the event from customers. */
export type History<Data> = (data: Data, times: HistoryTimes) => HistoryEntry | null;

export interface BookingEventSchema<
  Data extends object,
  Entity extends string = string,
  Work extends boolean = boolean,
> extends EventSchema<Data, Entity, Work> {
  readonly history: History<Data> | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a registry of differing schemas has no narrower common type
export type BookingEventSchemas = Readonly<Record<string, BookingEventSchema<any>>>;

export const defineBookingEvent =
  <Data extends object>() =>
  <const Work extends boolean, const Entity extends string = never>(
    declared: Declaration<Data, Entity, Work> & { readonly history: History<Data> | null },
  ): BookingEventSchema<Data, Entity, Work> => ({
    ...defineEvent<Data>()<Work, Entity>(declared),
    history: declared.history,
  });

export const countTickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);
