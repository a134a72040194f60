import { errors } from '#domain/kernel/errors.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import { defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { orElse, type Personal } from '#domain/kernel/personal.ts';
import { saidOf } from '#domain/kernel/said-of.ts';

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

/** Why a code was refused, in words. */
export const sayTurnedAway = (why: TurnedAway | 'TICKET_USED'): string =>
  saidOf(errors, why)?.message ?? 'This ticket was refused.';

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
  Admitted: defineBookingEvent<{
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
  }>()({
    audit: ['create', 'scan', ({ quantity }) => `${quantity} let in`],
    history: ({ quantity, gate }) => entry('scanned', `Admitted ${quantity}`, gate, 'door staff'),
    work: false,
  }),
  /**
   * A gate without a network let people in whom the log would have refused: a copy, or a ticket that was cancelled meanwhile. They are
   * inside and don't count as admitted. `first` is the scan that had used the code up.
   */
  AdmittedInConflict: defineBookingEvent<{
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
  }>()({
    audit: ['create', 'scan', 'Let in twice'],
    history: ({ quantity }) =>
      entry('scanned', `Let in again: ${quantity}`, 'By a gate without a network', 'door staff'),
    work: false,
  }),
  ReEntryRefused: defineBookingEvent<{
    bookingId: number;
    listingId: number;
    page: number;
    gate: string | null;
    by: { id: string };
    at: string;
    /** Of a gate without a network. */
    scanId?: string;
  }>()({
    audit: ['create', 'scan', 'Turned away'],
    history: ({ gate }) => entry('refused', 'Shown again and refused', gate, 'door staff'),
    work: false,
  }),
  /** Refused for another reason than an earlier scan. */
  EntryRefused: defineBookingEvent<{
    bookingId: number;
    listingId: number;
    page: number;
    why: TurnedAway;
    gate: string | null;
    by: { id: string };
    at: string;
    /** Of a gate without a network. */
    scanId?: string;
  }>()({
    audit: ['create', 'scan', 'Turned away'],
    history: ({ why }) => entry('refused', 'Shown at the door and refused', sayTurnedAway(why), 'door staff'),
    work: false,
  }),
  /** A scan by mistake was taken back: its code admits again. */
  AdmissionUndone: defineBookingEvent<{
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
  }>()({
    sealed: ['reason'],
    person: ({ userId }) => userId,
    audit: ['delete', 'scan', 'Undone'],
    history: ({ reason }) =>
      entry('scan-undone', 'Admission undone', orElse(reason, '(deleted)'), 'door staff'),
    work: false,
  }),
  /** From here on no code of this booking admits anybody. */
  AdmissionVoided: defineBookingEvent<{
    bookingId: number;
    listingId: number;
    why: 'cancelled' | 'refunded';
  }>()({
    audit: null,
    history: null,
    work: false,
  }),
  /** The booking was reinstated: its codes admit again. */
  AdmissionRestored: defineBookingEvent<{ bookingId: number; listingId: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
  /** The payment is disputed, or its dispute was lost: no code admits anybody. `asOf` is the revision of the booking's dispute stream. */
  AdmissionSuspended: defineBookingEvent<{ bookingId: number; listingId: number; asOf: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
  /** No dispute keeps the money any more: the codes admit again. `asOf` as in `AdmissionSuspended`. */
  AdmissionResumed: defineBookingEvent<{ bookingId: number; listingId: number; asOf: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
};
export type AdmissionEvent = EventOf<typeof admissionEvents>;
