import { errors } from '#domain/kernel/errors.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import { defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { orElse, type Personal } from '#domain/kernel/personal.ts';

/** A forged code names no booking, so it is not recorded. */
export const TURNED_AWAY = [
  'TICKET_WRONG_EVENT',
  'TICKET_CANCELLED',
  'TICKET_REFUNDED',
  'TICKET_DISPUTED',
  'TICKET_REISSUED',
  'TICKET_EXPIRED',
] as const;
export type TurnedAway = (typeof TURNED_AWAY)[number];

export const sayTurnedAway = (why: TurnedAway | 'TICKET_USED'): string =>
  lookup(errors, why)?.message ?? 'This ticket was refused.';

/** Unset for an online scan of a code. */
export type Entrance = 'search' | 'offline';

/** `at` is an ISO instant. */
export interface ScanFacts {
  readonly gate: string | null;
  readonly by: { readonly id: string };
  readonly at: string;
}

/** Stream `admission-{bookingId}`. `by` is the account that scanned. */
export const admissionEvents = {
  Admitted: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    page: number;
    quantity: number;
    gate: string | null;
    by: { id: string };
    at: string;
    /** Detects a retry after a lost answer. */
    scanId?: string;
    how?: Entrance;
  }>()({
    audit: ['create', 'scan', ({ quantity }) => `${quantity} let in`],
    history: ({ quantity, gate }) => entry('scanned', `Admitted ${quantity}`, gate, 'door staff'),
    work: false,
  }),
  /**
   * Admitted wrongly by an offline gate (a copied or since cancelled ticket), and not counted. `first` is
   * the scan that used up the code.
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
    /** Offline gates only. */
    scanId?: string;
  }>()({
    audit: ['create', 'scan', 'Turned away'],
    history: ({ gate }) => entry('refused', 'Shown again and refused', gate, 'door staff'),
    work: false,
  }),
  EntryRefused: defineBookingEvent<{
    bookingId: number;
    listingId: number;
    page: number;
    why: TurnedAway;
    gate: string | null;
    by: { id: string };
    at: string;
    scanId?: string;
  }>()({
    audit: ['create', 'scan', 'Turned away'],
    history: ({ why }) => entry('refused', 'Shown at the door and refused', sayTurnedAway(why), 'door staff'),
    work: false,
  }),
  AdmissionUndone: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    page: number;
    quantity: number;
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
  AdmissionVoided: defineBookingEvent<{
    bookingId: number;
    listingId: number;
    why: 'cancelled' | 'refunded';
  }>()({
    audit: null,
    history: null,
    work: false,
  }),
  AdmissionRestored: defineBookingEvent<{ bookingId: number; listingId: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
  AdmissionSuspended: defineBookingEvent<{ bookingId: number; listingId: number; asOf: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
  AdmissionResumed: defineBookingEvent<{ bookingId: number; listingId: number; asOf: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
};
export type AdmissionEvent = EventOf<typeof admissionEvents>;
