import type { EventOf } from '#domain/kernel/event.ts';
import { defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { orElse, type Personal } from '#domain/kernel/personal.ts';
import { MOST_REFUND_ATTEMPTS } from '#domain/kernel/policy.ts';

export type ProcessingType = 'auto_approved' | 'auto_denied' | 'manual';

/** Pence. */
export interface RefundRequest {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly intentId: string | null;
  /** Approving a denied refund pays back `paid` instead. */
  readonly amount: number;
  readonly paid: number;
  readonly reason: Personal<string>;
  readonly processingType: ProcessingType;
  /** From 1. */
  readonly cancellation: number;
}

export const sayFailure = (attempt: number): string =>
  attempt < MOST_REFUND_ATTEMPTS ? 'We are trying again.' : 'We are looking into it.';

/** Null if the provider paid all of it. */
export const sayParts = ({ amount, byHand = 0 }: { readonly amount: number; readonly byHand?: number }) =>
  byHand > 0 && byHand < amount ? `${toPounds(byHand)} of it was paid back separately.` : null;

const withoutUser = (data: object) => ({ ...data, userId: '' });

/** Stream `refund-{bookingId}`, one refund per payment. Pence. */
export const refundEvents = {
  RefundRequested: defineBookingEvent<RefundRequest>()({
    sealed: ['reason'],
    person: (data) => data.userId,
    audit: null,
    history: ({ amount }) => entry('refund-requested', `Refund of ${toPounds(amount)} requested`),
    work: true,
  }),
  /** Version 1 had `notes` as plain text, and no `userId`. */
  RefundApproved: defineBookingEvent<{
    bookingId: number;
    userId: string;
    amount: number;
    notes: Personal<string>;
    by: 'rule' | 'superuser';
  }>()({
    version: 2,
    upcast: { 1: withoutUser },
    sealed: ['notes'],
    person: (data) => data.userId,
    audit: ['update', 'refund', 'Approved'],
    history: ({ amount, by }) =>
      // A superuser's notes on an approval are internal.
      entry(
        'refund-approved',
        `Refund of ${toPounds(amount)} approved`,
        by === 'rule' ? 'Under the refund policy' : null,
      ),
    work: true,
  }),
  /** Version 1 had `reason` as plain text, and no `userId`. */
  RefundDenied: defineBookingEvent<{
    bookingId: number;
    userId: string;
    reason: Personal<string>;
    by: 'rule' | 'superuser' | 'reinstatement';
  }>()({
    version: 2,
    upcast: { 1: withoutUser },
    sealed: ['reason'],
    person: (data) => data.userId,
    audit: ['update', 'refund', 'Denied'],
    history: ({ reason }) => entry('refund-denied', 'Refund denied', orElse(reason, '(deleted)')),
    work: true,
  }),
  RefundReset: defineBookingEvent<{ bookingId: number }>()({
    audit: ['update', 'refund', 'Put back to review'],
    history: () => entry('refund-reset', 'Refund under review again'),
    work: false,
  }),
  /** `attempt` counts from 1; a new one needs the last to have failed. */
  RefundSubmitted: defineBookingEvent<{ bookingId: number; attempt: number; amount: number }>()({
    audit: null,
    history: ({ amount }) => entry('refund-submitted', `Refund of ${toPounds(amount)} sent to your bank`),
    work: false,
  }),
  /** `byHand` was paid at the provider itself. */
  RefundSucceeded: defineBookingEvent<{
    bookingId: number;
    attempt: number;
    providerRefundId: string;
    amount: number;
    byHand?: number;
  }>()({
    audit: null,
    history: (data) => {
      const [banks, parts] = ['Banks take 5-10 business days to show it.', sayParts(data)];
      return entry('refunded', `${toPounds(data.amount)} refunded`, parts ? `${banks} ${parts}` : banks);
    },
    work: true,
  }),
  RefundFailed: defineBookingEvent<{
    bookingId: number;
    attempt: number;
    providerRefundId: string | null;
    why: string;
  }>()({
    audit: null,
    history: ({ attempt }) => entry('refund-failed', 'Refund not taken by your bank', sayFailure(attempt)),
    work: true,
  }),
};
export type RefundEvent = EventOf<typeof refundEvents>;
