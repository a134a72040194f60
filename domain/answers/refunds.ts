/** Builds the API's answer about a refund to superusers, from rows of the read models or from states. */
import type { AdminRefund } from '#domain/contracts/refunds.ts';
import { toDecimal, toPounds } from '#domain/kernel/money.ts';
import { isErased, orElse, type Personal } from '#domain/kernel/personal.ts';
import { adminStatus, type RefundState } from '#domain/refund/state.ts';

/** What the answer is built from. The refund must have been requested. */
export interface RefundParts {
  readonly refund: Omit<
    RefundState,
    'intentId' | 'attempt' | 'cancellation' | 'refunded' | 'providerRefundId' | 'withdrawals'
  >;
  readonly reference: string;
  /** The listing's title; null if it can't be found. */
  readonly title: string | null;
  /** Where the last dispute of the payment stands; null if there is none. */
  readonly dispute: AdminRefund['dispute'];
  /** The customer's address. */
  readonly email: Personal<string>;
}

/** A refund as superusers see it. For an erased customer it has neither the address nor any reason or note. @throws if it was never requested */
export const toAdminRefund = ({ refund, reference, title, dispute, email }: RefundParts): AdminRefund => {
  const { phase, bookingId, userId, listingId, requestedAt, withdrawn } = refund;
  if (phase === 'none' || bookingId === null || userId === null || listingId === null)
    throw new Error('a refund that nobody has asked for');
  const said = (words: Personal<string> | null) => (isErased(email) ? null : orElse(words, null));
  const { status, note } = adminStatus(phase);
  const failure = phase === 'failed' ? `${note}: ${refund.failure}` : refund.failure;
  const byHand =
    refund.byHand > 0 ? `${toPounds(refund.byHand)} of it was paid back by hand, at the provider` : null;
  return {
    id: bookingId,
    bookingId,
    bookingReference: reference,
    userId,
    userEmail: orElse(email, null),
    eventId: listingId,
    eventTitle: title,
    refundAmount: toDecimal(refund.amount),
    paidAmount: toDecimal(refund.paid),
    refundReason: said(refund.reason),
    status,
    processingType: refund.processingType ?? 'manual',
    note: withdrawn ? 'Withdrawn, since the booking was reinstated; final' : (failure ?? byHand ?? note),
    decision: said(refund.decision),
    withdrawn,
    dispute,
    createdAt: requestedAt ?? '',
  };
};
