/** Carries out refunds: submits approved ones to the provider, and follows them until it has paid or failed. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { booking } from '#domain/booking/booking.ts';
import { DEFAULT_APPROVAL, type ProcessRefundRequest } from '#domain/contracts/refunds.ts';
import { dispute, isMoneyGone } from '#domain/dispute/dispute.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { listing } from '#domain/listing/listing.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import type { RefundState } from '#domain/refund/state.ts';
import type { Clock } from '#infra/lib/clock.ts';
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

/** A refund that counts for the present attempt, and all that the provider knows of the payment. */
interface Found {
  readonly said: ProviderRefund;
  readonly known: readonly ProviderRefund[];
}

/** Records what the provider says about a refund that counts for the present attempt, if that is new. */
const record = async (
  bookingId: number,
  state: RefundState,
  { said, known }: Found,
  acting: ActingLane,
): Promise<void> => {
  const { phase, attempt, amount } = state;
  const { id: providerRefundId, status } = said;
  const own = isOf(state, said);
  if (status === 'succeeded' && (phase === 'submitted' || (phase === 'failed' && !own))) {
    // Where the attempt had to pay less than the whole, somebody had paid the rest by hand, or an earlier attempt had.
    const given = sum(known.filter((one) => isLive(one) && isByHand(one)));
    const byHand = own ? Math.min(amount - said.amount, given) : amount;
    await execute(bookingId, { type: 'Succeed', attempt, providerRefundId, amount, byHand }, acting);
  }
  if (hasFailed(said) && (phase === 'submitted' || phase === 'succeeded')) {
    const why = said.why ?? status;
    await execute(bookingId, { type: 'Fail', attempt, providerRefundId, why }, acting);
  }
};

/** Whether this is the refund that the present attempt has made. */
const isOf = (
  { bookingId, attempt }: Pick<RefundState, 'bookingId' | 'attempt'>,
  said: ProviderRefund,
): boolean => said.bookingId === bookingId && said.attempt === attempt;

const hasFailed = ({ status }: ProviderRefund): boolean => status === 'failed' || status === 'canceled';
const isLive = (said: ProviderRefund): boolean => !hasFailed(said);
/** Whether somebody made it at the provider itself. */
const isByHand = ({ bookingId }: ProviderRefund): boolean => bookingId === undefined;
const sum = (refunds: readonly ProviderRefund[]): number =>
  refunds.reduce((total, { amount }) => total + amount, 0);

/** The provider's times are whole seconds. */
const A_SECOND = 1_000;

/**
 * How much an attempt still has to pay, in pence, beside what was paid back already; nothing if that is enough. Money that somebody paid
 * back by hand since the refund was requested is the refund. What they gave before is a gesture of its own, and counts only where too
 * little of the payment is left.
 */
const owed = ({ amount, paid, requestedAt }: RefundState, given: readonly ProviderRefund[]): number => {
  const requested = Date.parse(requestedAt ?? '');
  const since = given.filter(({ createdAt }) => createdAt + A_SECOND > requested);
  const left = paid - sum(given);
  return amount - sum(since) <= left ? amount - sum(since) : amount - sum(given);
};

/** Whether it is of an attempt that the log does not know, as after the restore of a backup from before it. */
const isLost = ({ intentId, attempt }: RefundState, said: ProviderRefund): boolean =>
  !isByHand(said) && (intentId !== said.intentId || attempt < (said.attempt ?? 0));

/** How much of its amount is still missing, in pence, beside what the present attempt and anybody else have paid. */
const missing = (state: RefundState, known: readonly ProviderRefund[]): number => {
  const live = known.filter(isLive);
  const others = live.filter((one) => !isOf(state, one));
  return owed(state, others) - sum(live.filter((one) => isOf(state, one)));
};

/**
 * Whether an attempt has paid, but too little: after a restore, an attempt has the key of one that is gone and may have paid less; or
 * what somebody else gave has come back meanwhile.
 */
const isShort = (state: RefundState, { said, known }: Found): boolean =>
  said.status === 'succeeded' && missing(state, known) > 0;

/** The provider's refund for an attempt. It is made, under the attempt's key, if neither it nor anybody's by hand is there. */
const refundAtProvider = async (
  { gateway }: Pick<RefundDeps, 'gateway'>,
  bookingId: number,
  state: RefundState,
): Promise<Found | { readonly refused: string }> => {
  const { intentId, attempt } = state;
  if (intentId === null) return { refused: 'nothing was paid with the provider' };
  const known = await gateway.findRefunds(intentId);
  const mine = known.find((one) => isOf(state, one));
  if (mine) return { said: mine, known };
  const given = known.filter(isLive);
  const amount = owed(state, given);
  const [last] = given;
  // All of it is on its way back. While any of it may still fail, the attempt goes on.
  if (amount <= 0 && last) return { said: given.find(({ status }) => status === 'pending') ?? last, known };
  const outcome = await gateway.refund({ intentId, amount, bookingId, attempt });
  if (!outcome.ok) return { refused: outcome.why };
  return { said: outcome.refund, known: [...known, outcome.refund] };
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
  const found = await refundAtProvider(deps, bookingId, state);
  const { attempt, amount } = state;
  if ('refused' in found) {
    await execute(bookingId, { type: 'Fail', attempt, providerRefundId: null, why: found.refused }, acting);
    return undefined;
  }
  if (isShort(state, found)) {
    const back = toPounds(amount - missing(state, found.known));
    throw new Stuck(
      `refund ${bookingId}: ${back} of ${toPounds(amount)} was paid back: pay the rest back at the provider`,
    );
  }
  await record(bookingId, state, found, acting);
  return found.said.status === 'pending' ? new Date(deps.clock().getTime() + ASK_EVERY) : undefined;
};

/**
 * The intents of which money was paid back since then in a way that the log does not know: by somebody at the provider itself, or for a
 * cancellation that a restored log has lost. Some may be another site's.
 */
export async function* findUnknownRefunds(
  { gateway }: Pick<RefundDeps, 'gateway'>,
  since: Date,
  acting: ActingLane,
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

/**
 * Records what the provider says about all refunds of an intent, also those that somebody made there by hand.
 * @returns what a person has to decide: the whole price is back, or a refund is that the log has lost, but the booking stands and its event
 * is ahead; undefined if nothing
 */
export const followRefunds = async (
  deps: RefundDeps,
  intentId: string,
  acting: ActingLane,
): Promise<string | undefined> => {
  const known = await deps.gateway.findRefunds(intentId);
  const strange: ProviderRefund[] = known.filter(isByHand);
  for (const said of known) {
    if (said.bookingId === undefined) continue;
    const { state } = await acting.state(refund, said.bookingId);
    const found = { said, known };
    // One that has paid too little is shown to operators by its own job.
    if (state.intentId === intentId && isOf(state, said) && !isShort(state, found))
      await record(said.bookingId, state, found, acting);
    if (isLost(state, said)) strange.push(said);
  }
  return strange.length > 0 ? followStrange(deps, intentId, { known, strange }, acting) : undefined;
};

/** Follows refunds that the log does not know of. */
const followStrange = async (
  { gateway, clock }: RefundDeps,
  intentId: string,
  { known, strange }: Readonly<Record<'known' | 'strange', readonly ProviderRefund[]>>,
  acting: ActingLane,
): Promise<string | undefined> => {
  const { purchase } = (await gateway.retrieveIntent(intentId)) ?? {};
  if (!purchase) return undefined;
  const { bookingId } = purchase;
  const { state } = await acting.state(refund, bookingId);
  const done = known.filter(({ status }) => status === 'succeeded');
  // A submitted attempt finds these itself when it asks the provider; here one would be recorded while that attempt pays.
  const enough = state.phase === 'failed' && owed(state, done) <= 0;
  // One that counted has come back.
  const short = state.phase === 'succeeded' && missing(state, known) > 0;
  const said = enough ? done[0] : short ? strange.filter(isByHand).find(hasFailed) : undefined;
  if (said && state.intentId === intentId) await record(bookingId, state, { said, known }, acting);
  const { facts, status } = (await acting.state(booking, bookingId)).state;
  const back = sum(known.filter(isLive));
  const lost = strange.some((one) => !isByHand(one) && isLive(one));
  if (facts?.intentId !== intentId || status !== 'confirmed' || (back < facts.quote.total && !lost))
    return undefined;
  const { schedule } = (await acting.state(listing, facts.listingId)).state;
  if (!schedule || clock().getTime() >= Date.parse(schedule.startsAt)) return undefined;
  const what = lost
    ? `${toPounds(back)} was paid back for a cancellation that is not in the log (was a backup restored?)`
    : `all of ${toPounds(back)} was paid back by hand`;
  return `${what}, but booking ${bookingId} stands and admits: cancel it, and this counts as its refund`;
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
