import { toPounds } from '#domain/kernel/money.ts';
import type { Intent, PaymentGateway } from '#infra/payments/gateway.ts';

/**
 * Undefined if refunded or another site's. If another site may share the provider account, an intent without
 * a log id may be its.
 */
export const lostPayment = async (
  { gateway, log }: { readonly gateway: PaymentGateway; readonly log: { readonly id: string } },
  { id, amount, purchase, log: madeFor }: Intent,
): Promise<string | undefined> => {
  if (!purchase || (madeFor !== undefined && madeFor !== log.id)) return undefined;
  const back = (await gateway.findRefunds(id)).filter(({ status }) => status === 'succeeded');
  const left = back.reduce((sum, refund) => sum - refund.amount, amount);
  if (left <= 0) return undefined;
  const whose = madeFor ? '' : ', unless it is another site’s on the same account';
  return `${toPounds(left)} was paid, but its purchase is not in the log (was a backup restored?): pay it back at the provider${whose}`;
};
