import { type EventOf, plain } from '#domain/personal.ts';

/** Events of `admission-{bookingId}`: double-entry detection lives here. `page` 1 is the whole party's code; `by` is the account that scanned, whose name is looked up when it is shown. */
export const admissionEvents = {
  Admitted: plain<{
    bookingId: number;
    userId: string;
    listingId: number;
    page: number;
    /** How many people this scan let in. */
    quantity: number;
    gate: string | null;
    by: { id: string };
    at: string;
  }>(),
  ReEntryRefused: plain<{
    bookingId: number;
    listingId: number;
    page: number;
    gate: string | null;
    by: { id: string };
    at: string;
  }>(),
  AdmissionUndone: plain<{ bookingId: number; listingId: number; page: number; quantity: number }>(),
  /** No code of this booking admits from here. */
  AdmissionVoided: plain<{ bookingId: number; listingId: number; why: 'cancelled' | 'refunded' }>(),
  /** A reinstated booking's codes admit again. */
  AdmissionRestored: plain<{ bookingId: number; listingId: number }>(),
};
export type AdmissionEvent = EventOf<typeof admissionEvents>;
