import type { AdminRefund } from '#domain/contracts/refunds.ts';
import { fromDecimal, toDecimal } from '#domain/money.ts';
import { approvalAmount } from '#domain/refund/state.ts';

/** What an approval would pay, quoted beforehand by the rule that then decides. */
export const approvalQuote = ({
  status,
  refundAmount,
  paidAmount,
}: Pick<AdminRefund, 'status' | 'refundAmount' | 'paidAmount'>): string =>
  toDecimal(
    approvalAmount({
      phase: status === 'denied' ? 'denied' : 'requested',
      amount: fromDecimal(refundAmount) ?? 0,
      paid: fromDecimal(paidAmount) ?? 0,
    }),
  );
