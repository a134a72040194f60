/** Carries out refunds: submits approved ones to the provider, and follows them until it has paid or failed. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { booking } from '#domain/booking/booking.ts';
import { DEFAULT_APPROVAL, type ProcessRefundRequest } from '#domain/contracts/refunds.ts';
import { dispute, isMoneyGone } from '#domain/dispute/dispute.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import type { RefundState } from '#domain/refund/state.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Clock } from '#infra/clock.ts';
import type { PaymentGateway, ProviderRefund } from '#infra/payments/gateway.ts';
import { Stuck } from './advance.ts';

export interface RefundDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
}

/** After how many milliseconds the provider is asked again about a refund, in case its webhook is lost. */
const ASK_EVERY = 5 * 60_000;
/** After how many milliseconds it is seen again whether a dispute is won. */
const DISPUTED = 3_600_000;

const execute = async (
  bookingId: number,
  command: RefundCommand,
  acting: ActingLane,
): Promise<RefundState> => {
  const outcome = await acting.ask(refund, bookingId, command);
  if (!outcome.ok) throw new Stuck(`refund ${bookingId}: ${command.type}: ${outcome.rejection.rejected}`);
  return outcome.state;
};

/** Records what the provider says about a refund, if that is new. */
const record = async (
  bookingId: number,
  { phase, attempt }: RefundState,
  said: ProviderRefund,
  acting: ActingLane,
): Promise<void> => {
  if (said.attempt !== attempt) return;
  const { id: providerRefundId, amount, status } = said;
  if (status === 'succeeded' && phase === 'submitted') {
    await execute(bookingId, { type: 'Succeed', attempt, providerRefundId, amount }, acting);
  }
  const failed = status === 'failed' || status === 'canceled';
  if (failed && (phase === 'submitted' || phase === 'succeeded')) {
    const why = said.why ?? status;
    await execute(bookingId, { type: 'Fail', attempt, providerRefundId, why }, acting);
  }
};

/** The provider's refund for an attempt. It is made, under the attempt's key, if there is none. */
const refundAtProvider = async (
  { gateway }: Pick<RefundDeps, 'gateway'>,
  bookingId: number,
  { intentId, attempt, amount }: RefundState,
): Promise<ProviderRefund | { readonly refused: string }> => {
  if (intentId === null) return { refused: 'nothing was paid with the provider' };
  const known = await gateway.findRefunds(intentId);
  const mine = known.find((one) => one.bookingId === bookingId && one.attempt === attempt);
  if (mine) return mine;
  const outcome = await gateway.refund({ intentId, amount, bookingId, attempt });
  return outcome.ok ? outcome.refund : { refused: outcome.why };
};

/**
 * Submits an approved refund, tries a failed one again, and asks the provider about a submitted one. While the payment is disputed
 * nothing is submitted.
 * @returns when to call it again, if the provider or the bank has not decided yet
 * @throws Stuck, GatewayUnavailable, Busy, LogUnavailable, OutcomeUnknown
 */
export const carryOutRefund = async (
  deps: RefundDeps,
  bookingId: number,
  acting: ActingLane,
): Promise<Date | undefined> => {
  let { state } = await acting.state(refund, bookingId);
  if (state.phase === 'approved' || state.phase === 'failed') {
    // The customer's bank has the money, or holds it: they would get it twice.
    if (isMoneyGone((await acting.state(dispute, bookingId)).state))
      return new Date(deps.clock().getTime() + DISPUTED);
    // The attempt is recorded before the provider is asked.
    state = await execute(bookingId, { type: 'Submit', attempt: state.attempt + 1 }, acting);
  }
  if (state.phase !== 'submitted') return undefined;
  const said = await refundAtProvider(deps, bookingId, state);
  if ('refused' in said) {
    const { attempt } = state;
    await execute(bookingId, { type: 'Fail', attempt, providerRefundId: null, why: said.refused }, acting);
    return undefined;
  }
  await record(bookingId, state, said, acting);
  return said.status === 'pending' ? new Date(deps.clock().getTime() + ASK_EVERY) : undefined;
};

/** Records what the provider says about all our refunds of an intent. */
export const followRefunds = async (
  { gateway }: Pick<RefundDeps, 'gateway'>,
  intentId: string,
  acting: ActingLane,
): Promise<void> => {
  for (const said of await gateway.findRefunds(intentId)) {
    if (said.bookingId === undefined) continue;
    const { state } = await acting.state(refund, said.bookingId);
    if (state.intentId === intentId) await record(said.bookingId, state, said, acting);
  }
};

/** Approves a refund in a superuser's name. @throws Refusal REFUND_DISPUTED, and what the refund's rules refuse with */
export const approveRefund = async (
  bookingId: number,
  { notes, status }: Pick<ProcessRefundRequest, 'status'> & { readonly notes: string },
  acting: ActingLane,
): Promise<RefundState> => {
  const { state: disputes } = await acting.state(dispute, bookingId);
  if (isMoneyGone(disputes)) throw new Refusal('REFUND_DISPUTED');
  const command = { type: 'Approve', notes: notes || DEFAULT_APPROVAL, status } as const;
  return (await acting.do(refund, bookingId, command)).state;
};

/** Marks a booking as refunded if its refund has succeeded. @throws Stuck if the booking rejects it */
export const markRefunded = async (bookingId: number, acting: ActingLane): Promise<void> => {
  const { state } = await acting.state(refund, bookingId);
  if (state.phase !== 'succeeded') return;
  const command = { type: 'MarkRefunded', amount: state.refunded } as const;
  const outcome = await acting.ask(booking, bookingId, command);
  if (!outcome.ok) throw new Stuck(`booking ${bookingId}: MarkRefunded: ${outcome.rejection.rejected}`);
};
