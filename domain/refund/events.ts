import { type EventOf, type Personal, plain, sealed } from '#domain/kernel/personal.ts';

/** How a refund is decided: `auto_approved` is approved at once, `auto_denied` is denied at once, `manual` waits for review. */
export type ProcessingType = 'auto_approved' | 'auto_denied' | 'manual';

/** A request for a refund. Amounts are in pence. */
export interface RefundRequest {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly intentId: string | null;
  /** How much is asked for. If a superuser approves a denied refund, `paid` is paid back instead. */
  readonly amount: number;
  readonly paid: number;
  readonly reason: Personal<string>;
  readonly processingType: ProcessingType;
  /** The number of the booking's cancellation, from 1. */
  readonly cancellation: number;
}

const withoutUser = (data: object) => ({ ...data, userId: '' });

/** The events of `refund-{bookingId}`. A payment has at most one refund, so a refund has its booking's id. Amounts are in pence. */
export const refundEvents = {
  RefundRequested: sealed<RefundRequest>(['reason'], (data) => data.userId),
  /** Version 1 had `notes` as plain text, and no `userId`. */
  RefundApproved: {
    ...sealed<{
      bookingId: number;
      userId: string;
      amount: number;
      notes: Personal<string>;
      by: 'rule' | 'superuser';
    }>(['notes'], (data) => data.userId, 2),
    upcast: { 1: withoutUser },
  },
  /** Version 1 had `reason` as plain text, and no `userId`. */
  RefundDenied: {
    ...sealed<{
      bookingId: number;
      userId: string;
      reason: Personal<string>;
      by: 'rule' | 'superuser' | 'reinstatement';
    }>(['reason'], (data) => data.userId, 2),
    upcast: { 1: withoutUser },
  },
  /** It was put back to review. */
  RefundReset: plain<{ bookingId: number }>(),
  /** It was given to the provider. `attempt` counts from 1; a new one begins only after the last one has failed. */
  RefundSubmitted: plain<{ bookingId: number; attempt: number; amount: number }>(),
  /** `byHand`: how much of the amount somebody paid back at the provider itself; left out where that is nothing. */
  RefundSucceeded: plain<{
    bookingId: number;
    attempt: number;
    providerRefundId: string;
    amount: number;
    byHand?: number;
  }>(),
  RefundFailed: plain<{ bookingId: number; attempt: number; providerRefundId: string | null; why: string }>(),
};
export type RefundEvent = EventOf<typeof refundEvents>;
