import { type EventOf, type Personal, plain, sealed } from '#domain/personal.ts';

/** How a refund came to be decided; labels for the screens are the specification's. */
export type ProcessingType = 'auto_approved' | 'auto_denied' | 'manual';

const withoutUser = (data: object) => ({ ...data, userId: '' });

/** Events of `refund-{bookingId}`: at most one refund a payment, so a refund's id is its booking's. Amounts in pence. */
export const refundEvents = {
  RefundRequested: sealed<{
    bookingId: number;
    userId: string;
    listingId: number;
    intentId: string | null;
    /** What is asked for now; a superuser's approval of a denied one pays `paid`. */
    amount: number;
    paid: number;
    reason: Personal<string>;
    processingType: ProcessingType;
    /** Which cancellation of the booking it belongs to, from 1. */
    cancellation: number;
  }>(['reason'], (data) => data.userId),
  /** Version 1 kept `notes` in the clear, and did not say whose refund it is. */
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
  /** Version 1 kept `reason` in the clear, and did not say whose refund it is. */
  RefundDenied: {
    ...sealed<{
      bookingId: number;
      userId: string;
      reason: Personal<string>;
      by: 'rule' | 'superuser' | 'reinstatement';
    }>(['reason'], (data) => data.userId, 2),
    upcast: { 1: withoutUser },
  },
  /** Back to review. */
  RefundReset: plain<{ bookingId: number }>(),
  /** Handed to the provider. `attempt` counts from 1; a new one starts only after the last was reported failed. */
  RefundSubmitted: plain<{ bookingId: number; attempt: number; amount: number }>(),
  RefundSucceeded: plain<{ bookingId: number; attempt: number; providerRefundId: string; amount: number }>(),
  RefundFailed: plain<{ bookingId: number; attempt: number; providerRefundId: string | null; why: string }>(),
};
export type RefundEvent = EventOf<typeof refundEvents>;
