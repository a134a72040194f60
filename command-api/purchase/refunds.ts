import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import { DEFAULT_APPROVAL, type ProcessRefundRequest } from '#domain/contracts/refunds.ts';
import { dispute, isMoneyGone } from '#domain/dispute/dispute.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import {
  type PayoutCall,
  type PayoutReply,
  type PayoutRest,
  type PayoutTask,
  payout,
} from '#domain/processes/payout.ts';
import { isLost } from '#domain/refund/paid-back.ts';
import { refund } from '#domain/refund/refund.ts';
import type { RefundState } from '#domain/refund/state.ts';
import type { Clock } from '#infra/lib/clock.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';

export interface RefundDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
}

/**
 * Repeatable and safe to interrupt.
 * @throws GatewayUnavailable, Busy, LogUnavailable, OutcomeUnknown: call it again
 */
export const payOut = async (
  { gateway, clock }: RefundDeps,
  bookingId: number,
  todo: PayoutTask,
  acting: ActingHandler,
): Promise<PayoutRest> => {
  const call = async (asked: PayoutCall): Promise<PayoutReply> =>
    asked.call === 'refund'
      ? gateway.refund(asked.request)
      : { found: await gateway.findRefunds(asked.intentId) };
  const { rest } = await runProcess(payout, { bookingId, todo, at: clock().toISOString() }, acting, call);
  return rest;
};

/**
 * Records the provider's state of all refunds of an intent, including manual ones.
 * @throws as `payOut`
 */
export const followRefunds = async (
  deps: RefundDeps,
  intentId: string,
  acting: ActingHandler,
): Promise<PayoutRest> => {
  const known = await deps.gateway.findRefunds(intentId);
  const [last] = known;
  if (!last) return 'done';
  const own = known.find(({ bookingId }) => bookingId !== undefined) ?? last;
  const bookingId = own.bookingId ?? (await deps.gateway.retrieveIntent(intentId))?.purchase?.bookingId;
  return bookingId === undefined
    ? 'done'
    : payOut(deps, bookingId, { task: 'follow', intentId, known }, acting);
};

/**
 * Intents refunded since then that the log may not know of: manually at the provider, or for a cancellation
 * missing from a restored log. Some may be another site's.
 */
export async function* findUnknownRefunds(
  { gateway }: Pick<RefundDeps, 'gateway'>,
  since: Date,
  acting: ActingHandler,
): AsyncGenerator<string> {
  const found = new Set<string>();
  for await (const said of gateway.findRefundsSince(since)) {
    const { intentId, bookingId } = said;
    if (intentId === null || found.has(intentId)) continue;
    if (bookingId !== undefined && !isLost((await acting.state(refund, bookingId)).state, said)) continue;
    found.add(intentId);
    yield intentId;
  }
}

/** @throws Refusal REFUND_DISPUTED, and the refund's rejections */
export const approveRefund = async (
  bookingId: number,
  { notes, status }: Pick<ProcessRefundRequest, 'status'> & { readonly notes: string },
  acting: ActingHandler,
): Promise<RefundState> => {
  const { state: disputes } = await acting.state(dispute, bookingId);
  if (isMoneyGone(disputes)) throw new Refusal('REFUND_DISPUTED');
  const command = { type: 'Approve', notes: notes || DEFAULT_APPROVAL, status } as const;
  return (await acting.do(refund, bookingId, command)).state;
};
