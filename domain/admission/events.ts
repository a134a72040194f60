import { type EventOf, plain } from '#domain/personal.ts';

/** Why a genuine code is refused: codes of `domain/errors.ts`. A forged code names no booking, so it is not recorded. */
export const TURNED_AWAY = [
  'TICKET_WRONG_EVENT',
  'TICKET_CANCELLED',
  'TICKET_REFUNDED',
  'TICKET_REISSUED',
  'TICKET_EXPIRED',
] as const;
export type TurnedAway = (typeof TURNED_AWAY)[number];

/** The events of `admission-{bookingId}`, by which double entries are detected. `page` 1 is the code of the whole party; `by` is the account that scanned. */
export const admissionEvents = {
  Admitted: plain<{
    bookingId: number;
    userId: string;
    listingId: number;
    page: number;
    /** How many people this scan admitted. */
    quantity: number;
    gate: string | null;
    by: { id: string };
    at: string;
    /** The scanner's own id of the scan, by which a repeat after a lost answer is recognised. */
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
  /** Refused for another reason than an earlier scan. */
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
  /** From here on no code of this booking admits anybody. */
  AdmissionVoided: plain<{ bookingId: number; listingId: number; why: 'cancelled' | 'refunded' }>(),
  /** The booking was reinstated: its codes admit again. */
  AdmissionRestored: plain<{ bookingId: number; listingId: number }>(),
};
export type AdmissionEvent = EventOf<typeof admissionEvents>;
