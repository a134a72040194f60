/** Carrying refunds out: submitted to the provider once decided, followed until the provider has decided too. */

import type { Lane } from '#command-api/lane/lane.ts';
import { booking } from '#domain/booking/booking.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import type { RefundState } from '#domain/refund/state.ts';
import type { Clock } from '#infra/clock.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import type { PaymentGateway, ProviderRefund } from '#infra/payments/gateway.ts';
import { Stuck } from './settle.ts';

export interface RefundDeps {
  readonly lane: Lane;
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
}

/** How often a refund that is with the provider is asked after, should its webhook be lost; milliseconds. */
const ASK_EVERY = 5 * 60_000;

const execute = async (
  { lane }: RefundDeps,
  bookingId: number,
  command: RefundCommand,
  context: Context,
): Promise<RefundState> => {
  const outcome = await lane.execute(refund, bookingId, command, context);
  if (!outcome.ok) throw new Stuck(`refund ${bookingId}: ${command.type}: ${outcome.rejection.rejected}`);
  return outcome.state;
};

/** Records what the provider says of a refund, where that is news. */
const record = async (
  deps: RefundDeps,
  bookingId: number,
  { phase, attempt }: RefundState,
  said: ProviderRefund,
  context: Context,
): Promise<void> => {
  if (said.attempt !== attempt) return;
  const { id: providerRefundId, amount, status } = said;
  if (status === 'succeeded' && phase === 'submitted') {
    await execute(deps, bookingId, { type: 'Succeed', attempt, providerRefundId, amount }, context);
  }
  const failed = status === 'failed' || status === 'canceled';
  if (failed && (phase === 'submitted' || phase === 'succeeded')) {
    const why = said.why ?? status;
    await execute(deps, bookingId, { type: 'Fail', attempt, providerRefundId, why }, context);
  }
};

/** The provider's refund of an attempt: the one that it has, else a new one under the same key. */
const refundAtProvider = async (
  { gateway }: RefundDeps,
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
 * Submits a refund that is decided, or asks after one that is with the provider. A failed one gets a new attempt.
 * @returns when to call it again, if the provider has not decided
 * @throws Stuck, GatewayUnavailable, Busy, LogUnavailable, OutcomeUnknown
 */
export const carryOutRefund = async (
  deps: RefundDeps,
  bookingId: number,
  context: Context,
): Promise<Date | undefined> => {
  let { state } = await deps.lane.state(refund, bookingId);
  if (state.phase === 'approved' || state.phase === 'failed') {
    // The wish is in the log before the provider hears of it.
    state = await execute(deps, bookingId, { type: 'Submit', attempt: state.attempt + 1 }, context);
  }
  if (state.phase !== 'submitted') return undefined;
  const said = await refundAtProvider(deps, bookingId, state);
  const next = following(context, deps.clock);
  if ('refused' in said) {
    const { attempt } = state;
    await execute(
      deps,
      bookingId,
      { type: 'Fail', attempt, providerRefundId: null, why: said.refused },
      next,
    );
    return undefined;
  }
  await record(deps, bookingId, state, said, next);
  return said.status === 'pending' ? new Date(deps.clock().getTime() + ASK_EVERY) : undefined;
};

/** Records what the provider says of all refunds of an intent that were made here. */
export const followRefunds = async (deps: RefundDeps, intentId: string, context: Context): Promise<void> => {
  let next = context;
  for (const said of await deps.gateway.findRefunds(intentId)) {
    if (said.bookingId === undefined) continue;
    const { state } = await deps.lane.state(refund, said.bookingId);
    if (state.intentId !== intentId) continue;
    await record(deps, said.bookingId, state, said, next);
    next = following(next, deps.clock);
  }
};

/** The money is back: so is the booking's last word. Returns whose it was. */
export const markRefunded = async (
  { lane }: Pick<RefundDeps, 'lane'>,
  bookingId: number,
  context: Context,
): Promise<void> => {
  const { state } = await lane.state(refund, bookingId);
  if (state.phase !== 'succeeded') return;
  const command = { type: 'MarkRefunded', amount: state.refunded } as const;
  const outcome = await lane.execute(booking, bookingId, command, context);
  if (!outcome.ok) throw new Stuck(`booking ${bookingId}: MarkRefunded: ${outcome.rejection.rejected}`);
};
