import type { AdminRefund } from '#domain/contracts/refunds.ts';
import { toDecimal, toPounds } from '#domain/kernel/money.ts';
import { isErased, orElse, type Personal } from '#domain/kernel/personal.ts';
import { adminStatus, type RefundState } from '#domain/refund/state.ts';

export interface RefundParts {
  readonly refund: Omit<
    RefundState,
    'intentId' | 'attempt' | 'cancellation' | 'refunded' | 'providerRefundId' | 'withdrawals'
  >;
  readonly reference: string;
  readonly title: string | null;
  readonly dispute: AdminRefund['dispute'];
  readonly email: Personal<string>;
}

/**
 * An erased customer's refund has no address, reason or note.
 * @throws if never requested
 */
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
