import { booking } from '#domain/booking/booking.ts';
import type { BookingState } from '#domain/booking/state.ts';
import { dispute, isMoneyGone } from '#domain/dispute/dispute.ts';
import { ask, type Chain, look, type Order, stateOf } from '#domain/kernel/chain.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { listing } from '#domain/listing/listing.ts';
import {
  deciding,
  hasFailed,
  isByHand,
  isLive,
  isOwn,
  isShort,
  missing,
  owed,
  type ProviderRefund,
  strangeOf,
  sum,
} from '#domain/refund/paid-back.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';
import type { RefundState } from '#domain/refund/state.ts';

/** What a run is to do. */
export type PayoutTask =
  /** Begins an attempt, whose time has come, and pays. Only the refund's own job does: two could pay beside money that comes by hand. */
  | { readonly task: 'pay' }
  /** Records what the provider says of an intent's refunds, also of those that were made by hand. */
  | { readonly task: 'follow'; readonly intentId: string; readonly known: readonly ProviderRefund[] }
  /** Marks the booking, if its refund has succeeded. */
  | { readonly task: 'mark' };

/** What is known about the payout of a refund. */
export interface PayoutView {
  readonly bookingId: number;
  readonly todo: PayoutTask;
  /** The present time, an ISO instant. */
  readonly at: string;
  readonly refund?: RefundState;
  /** Whether the card's holder has the money back, or their bank holds it. Known only if it was needed. */
  readonly disputed?: boolean;
  /** Whether this run has begun an attempt, or recorded the outcome of one. The next attempt has a time of its own. */
  readonly tried?: true;
  /** All refunds of the payment, as the provider knows them. */
  readonly known?: readonly ProviderRefund[];
  /** Why the provider refuses to pay the attempt. */
  readonly refused?: string;
  readonly marked?: true;
  readonly booking?: BookingState;
  /** Whether the listing lies ahead. Known only if it was needed. */
  readonly ahead?: boolean;
  /** A refusal that no step can repair. */
  readonly trouble?: string;
}

type Result = Extract<RefundCommand, { type: 'Succeed' | 'Fail' }>;

/** A step of a payout. */
export type PayoutStep =
  | {
      readonly do:
        | 'look-at-refund'
        | 'look-at-disputes'
        | 'submit'
        | 'find-refunds'
        | 'pay'
        | 'mark-booking'
        | 'look-at-booking'
        | 'look-at-listing';
    }
  | { readonly do: 'record'; readonly result: Result };

/** Why there is nothing to do now. `again`: the provider or the bank has not decided yet. `person`: what a person has to decide. */
export type PayoutRest = 'done' | { readonly again: Date } | { readonly person: string };

/** What a payout asks of the payment provider. Booking and attempt are the key of a payment: a repeat is the same refund. */
export type PayoutCall =
  | { readonly call: 'find-refunds'; readonly intentId: string }
  | {
      readonly call: 'refund';
      readonly order: {
        readonly intentId: string;
        readonly amount: number;
        readonly bookingId: number;
        readonly attempt: number;
      };
    };

/** The provider's answer. */
export type PayoutReply =
  | { readonly found: readonly ProviderRefund[] }
  | { readonly ok: true; readonly refund: ProviderRefund }
  | { readonly ok: false; readonly why: string };

type Next = readonly PayoutStep[] | PayoutRest;

/** After how many milliseconds the provider is asked again about a refund, in case its webhook is lost. */
const ASK_EVERY = 5 * 60_000;
/** After how many milliseconds it is seen again whether a dispute is won. */
const DISPUTED = 3_600_000;

const later = ({ at }: PayoutView, milliseconds: number): PayoutRest => ({
  again: new Date(Date.parse(at) + milliseconds),
});

const next = (view: PayoutView): Next => {
  const { refund: state, todo } = view;
  if (view.trouble) return { person: view.trouble };
  if (!state) return [{ do: 'look-at-refund' }];
  const first = todo.task === 'pay' ? pay(view, state) : todo.task === 'follow' && follow(state, todo);
  if (first) return first;
  if (state.phase === 'succeeded' && !view.marked) return [{ do: 'mark-booking' }];
  return (todo.task === 'follow' && decide(view, state, todo)) || 'done';
};

const pay = (view: PayoutView, state: RefundState): Next | undefined => {
  const { phase, intentId } = state;
  if ((phase === 'approved' || phase === 'failed') && !view.tried) {
    if (view.disputed === undefined) return [{ do: 'look-at-disputes' }];
    // They would get the money twice.
    return view.disputed ? later(view, DISPUTED) : [{ do: 'submit' }];
  }
  if (phase !== 'submitted') return undefined;
  const refused = intentId === null ? 'nothing was paid with the provider' : view.refused;
  if (refused !== undefined) return record(failed(state, null, refused));
  // The attempt is recorded before the provider is asked.
  if (!view.known) return [{ do: 'find-refunds' }];
  const one = deciding(state, view.known);
  if (!one) return [{ do: 'pay' }];
  if (isShort(state, one, view.known)) return { person: tellShort(state, view.known) };
  if (one.status === 'pending') return later(view, ASK_EVERY);
  return record(
    hasFailed(one) ? failed(state, one.id, one.why ?? one.status) : succeeded(state, one, view.known),
  );
};

const record = (result: Result): readonly PayoutStep[] => [{ do: 'record', result }];

const failed = ({ attempt }: RefundState, providerRefundId: string | null, why: string): Result => ({
  type: 'Fail',
  ...{ attempt, providerRefundId, why },
});

const succeeded = (state: RefundState, one: ProviderRefund, known: readonly ProviderRefund[]): Result => {
  const { attempt, amount } = state;
  // Where the attempt had to pay less than the whole, the rest was paid by hand, or by an earlier attempt.
  const given = sum(known.filter((other) => isLive(other) && isByHand(other)));
  const byHand = isOwn(state, one) ? Math.min(amount - one.amount, given) : amount;
  return { type: 'Succeed', attempt, providerRefundId: one.id, amount, byHand };
};

const tellShort = (state: RefundState, known: readonly ProviderRefund[]): string => {
  const back = toPounds(state.amount - missing(state, known));
  return `refund ${state.bookingId}: ${back} of ${toPounds(state.amount)} was paid back: pay the rest back at the provider`;
};

type Following = Extract<PayoutTask, { task: 'follow' }>;

/** What the provider's refunds change, if no attempt is about to pay. */
const follow = (state: RefundState, { intentId, known }: Following): Next | undefined => {
  const { phase } = state;
  if (state.intentId !== intentId) return undefined;
  const own = known.find((one) => isOwn(state, one));
  // One that has paid too little is shown to operators by its own job.
  if (own?.status === 'succeeded' && phase === 'submitted' && !isShort(state, own, known))
    return record(succeeded(state, own, known));
  const counts = phase === 'submitted' || (phase === 'succeeded' && state.providerRefundId === own?.id);
  if (own && hasFailed(own) && counts) return record(failed(state, own.id, own.why ?? own.status));
  const strange = strangeOf(state, known);
  const done = known.filter(({ status }) => status === 'succeeded');
  const [last] = done;
  // A submitted attempt finds these itself when it asks the provider; here one would be recorded while that attempt pays.
  if (strange.length > 0 && phase === 'failed' && last && !isOwn(state, last) && owed(state, done) <= 0)
    return record(succeeded(state, last, known));
  // One that counted has come back.
  const back = phase === 'succeeded' && missing(state, known) > 0 && strange.filter(isByHand).find(hasFailed);
  return back ? record(failed(state, back.id, back.why ?? back.status)) : undefined;
};

/** What a person has to decide: money went back in a way that the log does not know, but the booking stands and its event is ahead. */
const decide = (view: PayoutView, state: RefundState, { intentId, known }: Following): Next | undefined => {
  const strange = strangeOf(state, known);
  if (strange.length === 0) return undefined;
  if (!view.booking) return [{ do: 'look-at-booking' }];
  const { facts, status } = view.booking;
  const back = sum(known.filter(isLive));
  const lost = strange.some((one) => !isByHand(one) && isLive(one));
  const stands = facts?.intentId === intentId && status === 'confirmed';
  if (!stands || (back < facts.quote.total && !lost)) return undefined;
  if (view.ahead === undefined) return [{ do: 'look-at-listing' }];
  const what = lost
    ? `${toPounds(back)} was paid back for a cancellation that is not in the log (was a backup restored?)`
    : `all of ${toPounds(back)} was paid back by hand`;
  const person = `${what}, but booking ${view.bookingId} stands and admits: cancel it, and this counts as its refund`;
  return view.ahead ? { person } : undefined;
};

const order = (view: PayoutView, step: PayoutStep): Order | PayoutCall => {
  const { bookingId, refund: state } = view;
  if (step.do === 'look-at-refund') return look(refund, bookingId);
  if (!state) throw new Error(`refund ${bookingId}: ${step.do} before it was seen`);
  const { intentId, attempt } = state;
  switch (step.do) {
    case 'look-at-disputes':
      return look(dispute, bookingId);
    case 'submit':
      return ask(refund, bookingId, { type: 'Submit', attempt: attempt + 1 });
    case 'find-refunds':
      return { call: 'find-refunds', intentId: intentId ?? '' };
    case 'pay': {
      const amount = owed(state, (view.known ?? []).filter(isLive));
      return { call: 'refund', order: { intentId: intentId ?? '', amount, bookingId, attempt } };
    }
    case 'record':
      return ask(refund, bookingId, step.result);
    case 'mark-booking':
      return ask(booking, bookingId, { type: 'MarkRefunded', amount: state.refunded });
    case 'look-at-booking':
      return look(booking, bookingId);
    case 'look-at-listing':
      return look(listing, view.booking?.facts?.listingId ?? 0);
  }
};

/**
 * Pays a refund back: the attempt is recorded, the provider is asked what was paid back already, the rest is paid, the outcome is recorded,
 * and the booking is marked. What was paid by hand counts. While the payment is disputed no attempt begins. A refund that has succeeded can
 * still fail, and a later attempt pays it again.
 */
export const payout: Chain<PayoutView, PayoutStep, PayoutRest, PayoutCall, PayoutReply> = {
  name: 'payout',
  next,
  order,
  learn(view, step, answer) {
    const tried = step.do === 'submit' || step.do === 'record' ? ({ tried: true } as const) : {};
    if ('rejected' in answer) {
      // Another run has changed the refund: it is read again, and so is what the provider knows.
      if (answer.rejected === 'CONFLICT' && step.do !== 'mark-booking')
        return { ...view, ...tried, refund: undefined, known: undefined, refused: undefined };
      const what = step.do === 'record' ? step.result.type : step.do;
      return { ...view, trouble: `refund ${view.bookingId}: ${what}: ${answer.rejected}` };
    }
    if ('found' in answer) return { ...view, known: answer.found };
    if ('ok' in answer)
      return answer.ok
        ? { ...view, known: [...(view.known ?? []), answer.refund] }
        : { ...view, refused: answer.why };
    const disputes = stateOf(answer, dispute);
    if (disputes) return { ...view, disputed: isMoneyGone(disputes) };
    const listed = stateOf(answer, listing);
    if (listed) {
      const { startsAt } = listed.schedule ?? {};
      return { ...view, ahead: startsAt !== undefined && Date.parse(view.at) < Date.parse(startsAt) };
    }
    const marked = step.do === 'mark-booking' ? ({ marked: true } as const) : {};
    const money = stateOf(answer, refund) ?? view.refund;
    const booked = stateOf(answer, booking) ?? view.booking;
    return { ...view, ...tried, ...marked, refund: money, booking: booked };
  },
};
