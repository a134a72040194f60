import { type EventOf, type Personal, plain, sealed } from '#domain/kernel/personal.ts';

/** Why a genuine code is refused: codes of `domain/kernel/errors.ts`. A forged code names no booking, so it is not recorded. */
export const TURNED_AWAY = [
  'TICKET_WRONG_EVENT',
  'TICKET_CANCELLED',
  'TICKET_REFUNDED',
  'TICKET_DISPUTED',
  'TICKET_REISSUED',
  'TICKET_EXPIRED',
] as const;
export type TurnedAway = (typeof TURNED_AWAY)[number];

/** How somebody got in, if not with a code that the gate's scanner sent at once: found by name or reference, or by a gate without a network. */
export type Entrance = 'search' | 'offline';

/** What is kept of a scan wherever it is named. `at` is an ISO instant. */
export interface ScanFacts {
  readonly gate: string | null;
  readonly by: { readonly id: string };
  readonly at: string;
}

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
    how?: Entrance;
  }>(),
  /**
   * A gate without a network let people in whom the log would have refused: a copy, or a ticket that was cancelled meanwhile. They are
   * inside and don't count as admitted. `first` is the scan that had used the code up.
   */
  AdmittedInConflict: plain<{
    bookingId: number;
    listingId: number;
    page: number;
    quantity: number;
    why: TurnedAway | 'TICKET_USED';
    gate: string | null;
    by: { id: string };
    at: string;
    scanId: string;
    first: ScanFacts | null;
  }>(),
  ReEntryRefused: plain<{
    bookingId: number;
    listingId: number;
    page: number;
    gate: string | null;
    by: { id: string };
    at: string;
    /** Of a gate without a network. */
    scanId?: string;
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
    /** Of a gate without a network. */
    scanId?: string;
  }>(),
  /** A scan by mistake was taken back: its code admits again. */
  AdmissionUndone: sealed<{
    bookingId: number;
    userId: string;
    listingId: number;
    page: number;
    quantity: number;
    /** When the scan was that is undone. */
    scannedAt: string;
    reason: Personal<string>;
    by: { id: string };
    at: string;
  }>(['reason'], ({ userId }) => userId),
  /** From here on no code of this booking admits anybody. */
  AdmissionVoided: plain<{ bookingId: number; listingId: number; why: 'cancelled' | 'refunded' }>(),
  /** The booking was reinstated: its codes admit again. */
  AdmissionRestored: plain<{ bookingId: number; listingId: number }>(),
  /** The payment is disputed, or its dispute was lost: no code admits anybody. `asOf` is the revision of the booking's dispute stream. */
  AdmissionSuspended: plain<{ bookingId: number; listingId: number; asOf: number }>(),
  /** No dispute keeps the money any more: the codes admit again. `asOf` as in `AdmissionSuspended`. */
  AdmissionResumed: plain<{ bookingId: number; listingId: number; asOf: number }>(),
};
export type AdmissionEvent = EventOf<typeof admissionEvents>;
