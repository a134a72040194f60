import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { admission } from '#domain/admission/admission.ts';
import { dispute, isMoneyGone } from '#domain/dispute/dispute.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';

/** A repeat finishes an interrupted run. Ignores payments unknown here. */
export const followDisputes = async (
  { gateway }: { readonly gateway: PaymentGateway },
  intentId: string,
  acting: ActingHandler,
): Promise<void> => {
  const { purchase } = (await gateway.retrieveIntent(intentId)) ?? {};
  if (!purchase) return;
  const { bookingId, userId, listingId } = purchase;
  for (const { id: disputeId, ...said } of await gateway.findDisputes(intentId)) {
    const facts = { bookingId, userId, listingId, disputeId, ...said, intentId };
    await acting.do(dispute, bookingId, { type: 'RecordDispute', ...facts });
  }
  const { state, revision: asOf } = await acting.state(dispute, bookingId);
  if (asOf < 0) return;
  const moneyGone = isMoneyGone(state);
  await acting.do(admission, bookingId, { type: 'FollowDisputes', bookingId, listingId, moneyGone, asOf });
};
