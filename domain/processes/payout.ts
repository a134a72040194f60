import { booking } from '#domain/booking/booking.ts';
import type { BookingState } from '#domain/booking/state.ts';
import { dispute, isMoneyGone } from '#domain/dispute/dispute.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { decide, load, type ProcessManager, type StreamRequest, stateOf } from '#domain/kernel/process.ts';
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

export type PayoutTask =
  | { readonly task: 'pay' }
  | { readonly task: 'follow'; readonly intentId: string; readonly known: readonly ProviderRefund[] }
  | { readonly task: 'mark' };

export interface PayoutView {
  readonly bookingId: number;
  readonly todo: PayoutTask;
  readonly at: string;
  readonly refund?: RefundState;
  readonly disputed?: boolean;
  /** This run began an attempt or recorded an outcome; the next attempt has its own time. */
  readonly tried?: true;
  readonly known?: readonly ProviderRefund[];
  readonly refused?: string;
  readonly marked?: true;
  readonly booking?: BookingState;
  readonly ahead?: boolean;
  readonly trouble?: string;
}

type Result = Extract<RefundCommand, { type: 'Succeed' | 'Fail' }>;

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

export type PayoutRest = 'done' | { readonly again: Date } | { readonly person: string };

/** Booking and attempt form the idempotency key: a repeat is the same refund. */
export type PayoutCall =
  | { readonly call: 'find-refunds'; readonly intentId: string }
  | {
      readonly call: 'refund';
      readonly request: {
        readonly intentId: string;
        readonly amount: number;
        readonly bookingId: number;
        readonly attempt: number;
      };
    };

export type PayoutReply =
  | { readonly found: readonly ProviderRefund[] }
  | { readonly ok: true; readonly refund: ProviderRefund }
  | { readonly ok: false; readonly why: string };

type Next = readonly PayoutStep[] | PayoutRest;

/** Polling interval in milliseconds, in case a webhook is lost. */
const ASK_EVERY = 5 * 60_000;
/** Interval of checking an open dispute, in milliseconds. */
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
  return (todo.task === 'follow' && personDecides(view, state, todo)) || 'done';
};

const pay = (view: PayoutView, state: RefundState): Next | undefined => {
  const { phase, intentId } = state;
  if ((phase === 'approved' || phase === 'failed') && !view.tried) {
    if (view.disputed === undefined) return [{ do: 'look-at-disputes' }];
    // Avoid paying twice while a dispute is open.
    return view.disputed ? later(view, DISPUTED) : [{ do: 'submit' }];
  }
  if (phase !== 'submitted') return undefined;
  const refused = intentId === null ? 'nothing was paid with the provider' : view.refused;
  if (refused !== undefined) return record(failed(state, null, refused));
  // Record the attempt before calling the provider.
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
  const given = sum(known.filter((other) => isLive(other) && isByHand(other)));
  const byHand = isOwn(state, one) ? Math.min(amount - one.amount, given) : amount;
  return { type: 'Succeed', attempt, providerRefundId: one.id, amount, byHand };
};

const tellShort = (state: RefundState, known: readonly ProviderRefund[]): string => {
  const back = toPounds(state.amount - missing(state, known));
  return `refund ${state.bookingId}: ${back} of ${toPounds(state.amount)} was paid back: pay the rest back at the provider`;
};

type Following = Extract<PayoutTask, { task: 'follow' }>;

const follow = (state: RefundState, { intentId, known }: Following): Next | undefined => {
  const { phase } = state;
  if (state.intentId !== intentId) return undefined;
  const own = known.find((one) => isOwn(state, one));
  // An underpaid attempt is reported by its own job.
  if (own?.status === 'succeeded' && phase === 'submitted' && !isShort(state, own, known))
    return record(succeeded(state, own, known));
  const counts = phase === 'submitted' || (phase === 'succeeded' && state.providerRefundId === own?.id);
  if (own && hasFailed(own) && counts) return record(failed(state, own.id, own.why ?? own.status));
  const strange = strangeOf(state, known);
  const done = known.filter(({ status }) => status === 'succeeded');
  const [last] = done;
  // A submitted attempt finds these itself; recording one here could happen while that attempt pays.
  if (strange.length > 0 && phase === 'failed' && last && !isOwn(state, last) && owed(state, done) <= 0)
    return record(succeeded(state, last, known));
  // A refund that counted has failed since.
  const back = phase === 'succeeded' && missing(state, known) > 0 && strange.filter(isByHand).find(hasFailed);
  return back ? record(failed(state, back.id, back.why ?? back.status)) : undefined;
};

/** A person decides if money was returned unknown to the log, while the booking is valid and its event is ahead. */
const personDecides = (
  view: PayoutView,
  state: RefundState,
  { intentId, known }: Following,
): Next | undefined => {
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

const request = (view: PayoutView, step: PayoutStep): StreamRequest | PayoutCall => {
  const { bookingId, refund: state } = view;
  if (step.do === 'look-at-refund') return load(refund, bookingId);
  if (!state) throw new Error(`refund ${bookingId}: ${step.do} before it was seen`);
  const { intentId, attempt } = state;
  switch (step.do) {
    case 'look-at-disputes':
      return load(dispute, bookingId);
    case 'submit':
      return decide(refund, bookingId, { type: 'Submit', attempt: attempt + 1 });
    case 'find-refunds':
      return { call: 'find-refunds', intentId: intentId ?? '' };
    case 'pay': {
      const amount = owed(state, (view.known ?? []).filter(isLive));
      return { call: 'refund', request: { intentId: intentId ?? '', amount, bookingId, attempt } };
    }
    case 'record':
      return decide(refund, bookingId, step.result);
    case 'mark-booking':
      return decide(booking, bookingId, { type: 'MarkRefunded', amount: state.refunded });
    case 'look-at-booking':
      return load(booking, bookingId);
    case 'look-at-listing':
      return load(listing, view.booking?.facts?.listingId ?? 0);
  }
};

/**
 * Records the attempt before paying; manual refunds count. No attempt starts during a dispute. A succeeded
 * refund can still fail; a later attempt pays it again.
 */
export const payout: ProcessManager<PayoutView, PayoutStep, PayoutRest, PayoutCall, PayoutReply> = {
  name: 'payout',
  next,
  request,
  apply(view, step, answer) {
    const tried = step.do === 'submit' || step.do === 'record' ? ({ tried: true } as const) : {};
    if ('rejected' in answer) {
      // Another run changed the refund: reload it and the provider's refunds.
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
