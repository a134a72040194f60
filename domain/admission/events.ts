import { type EventOf, plain } from '#domain/personal.ts';

/** Why a genuine code lets nobody in: codes of `domain/errors.ts`. What we did not sign names no booking, and is not recorded. */
export const TURNED_AWAY = [
  'TICKET_WRONG_EVENT',
  'TICKET_CANCELLED',
  'TICKET_REFUNDED',
  'TICKET_REISSUED',
  'TICKET_EXPIRED',
] as const;
export type TurnedAway = (typeof TURNED_AWAY)[number];

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
    /** Chosen by the scanner, so that asking again after a lost answer is known for the same scan. */
    scanId?: string;
  }>(),
  ReEntryRefused: plain<{
    bookingId: number;
    listingId: number;
    page: number;
    gate: string | null;
    by: { id: string };
    at: string;
  }>(),
  /** Turned away for another reason than a scan before. */
  EntryRefused: plain<{
    bookingId: number;
    listingId: number;
    page: number;
    why: TurnedAway;
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
