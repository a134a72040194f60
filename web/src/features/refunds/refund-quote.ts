import type { AdminRefund } from '#domain/contracts/refunds.ts';
import { fromDecimal, toDecimal } from '#domain/kernel/money.ts';
import { approvalAmount } from '#domain/refund/state.ts';

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
