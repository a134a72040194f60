import { account } from '#domain/account/account.ts';
import { booking } from '#domain/booking/booking.ts';
import type { BookingFacts } from '#domain/booking/events.ts';
import type { BookingState } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason, Unfilled } from '#domain/checkout/events.ts';
import type { Attempt, CheckoutState } from '#domain/checkout/state.ts';
import type { ReleaseReason } from '#domain/inventory/events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { type InventoryWord, wordOn } from '#domain/inventory/state.ts';
import { ask, type Chain, look, type Order, type Seen, stateOf } from '#domain/kernel/chain.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { erased } from '#domain/kernel/personal.ts';
import { HOLD_GRACE, REFUND_POLICY } from '#domain/kernel/policy.ts';
import { saidOf } from '#domain/kernel/said-of.ts';
import { listing } from '#domain/listing/listing.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';

/** Identifies an attempt to buy. */
export interface AttemptKey {
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
}

/** An intent, as the provider described it last. The amount is in pence. */
export interface IntentSeen {
  readonly id: string;
  readonly status: 'open' | 'processing' | 'succeeded' | 'canceled';
  readonly amount: number;
  readonly currency: string;
}

/**
 * What is known about an attempt. Only `checkout` has to be read. Everything else is learnt by the steps of this run; what is not known
 * is asked for or done again, which is harmless.
 */
export interface PurchaseView extends AttemptKey {
  /** The present time, an ISO instant. */
  readonly at: string;
  /** Why to close the attempt if it is not paid. An attempt past its `until` is closed as expired in any case. */
  readonly close?: ClosingReason;
  /** The buyer asks for the booking. An attempt that costs nothing then counts as paid, once its tickets and its promotion are held. */
  readonly claimed?: true;
  /** The intent, if the provider has said that it is paid. Its payment is recorded first. */
  readonly paid?: IntentSeen;
  /** Whether this run has recorded the payment, or found it recorded. */
  readonly recorded?: 'now' | 'before';
  readonly checkout?: Attempt;
  /** The state of the tickets. `sold_out` and `sales_closed`: the inventory has refused to hold or to sell them. */
  readonly inventory?: InventoryWord | Unfilled;
  readonly promotion?: 'reserved' | 'refused' | 'redeemed' | 'released';
  readonly booking?: BookingState;
  /** Whether this run has made the booking, with tickets or without. */
  readonly placed?: true;
  /** Whether the listing has started. Known only if it was needed. */
  readonly started?: boolean;
  /** Whether the buyer's account is erased. Known only if it was needed. */
  readonly gone?: boolean;
  readonly refund?: 'requested';
  /** The intent that was made in this run; `refused` if the provider refuses for good to make one. */
  readonly intent?: IntentSeen | 'refused';
  /** The intent that was to be cancelled in this run, as the provider described it after that. */
  readonly cancelled?: IntentSeen;
  /** The person's key was destroyed: nothing personal can be recorded any more. */
  readonly erased?: true;
  /** A refusal that no step can repair. Operators see it in a list. */
  readonly stuck?: ErrorCode;
}

/** A step of a purchase. */
export type PurchaseStep =
  | {
      readonly do:
        | 'look-at-checkout'
        | 'look-at-inventory'
        | 'look-at-listing'
        | 'look-at-account'
        | 'look-at-booking'
        | 'hold'
        | 'reserve-promotion'
        | 'record-nothing-owed'
        | 'create-intent'
        | 'sell'
        | 'place-booking'
        | 'redeem'
        | 'complete'
        | 'release-promotion'
        | 'release-hold'
        | 'finish-closing'
        | 'return-tickets'
        | 'request-refund';
    }
  | { readonly do: 'attach-intent' | 'record-payment'; readonly intent: IntentSeen }
  | { readonly do: 'begin-closing'; readonly why: ClosingReason }
  | { readonly do: 'cancel-intent'; readonly intentId: string }
  | { readonly do: 'place-unfilled' | 'mark-unfilled'; readonly why: Unfilled };

/**
 * Why there is nothing to do now. `waiting-for-provider`: it has neither cancelled the intent nor said that it is paid; try again later.
 * `stuck`: see the view. (Once the booking is made the buyer can be answered; a job may do what is left.)
 */
export type PurchaseRest = 'done' | 'waiting-for-payment' | 'waiting-for-provider' | 'stuck';

/** What a purchase asks of the payment provider: to make the attempt's intent, or to cancel an intent. */
export type ProviderCall =
  | { readonly call: 'create-intent'; readonly attempt: Attempt }
  | { readonly call: 'cancel-intent'; readonly intentId: string; readonly attempt: Attempt };

/** The provider's answer. `cancelled` is undefined if it knows no such intent, so that nobody can pay it. */
export type ProviderReply =
  | { readonly intent: IntentSeen | 'refused' }
  | { readonly cancelled: IntentSeen | undefined };

const next = (view: PurchaseView): readonly PurchaseStep[] | PurchaseRest => {
  if (view.stuck) return 'stuck';
  if (view.paid && !view.recorded) return record(view, view.paid);
  const step = nextStep(view);
  return typeof step === 'string' ? step : [step];
};

/** The tickets of an attempt that is known to be open are sold while its payment is recorded. */
const record = ({ checkout }: PurchaseView, intent: IntentSeen): readonly PurchaseStep[] => {
  const recording = { do: 'record-payment', intent } as const;
  return checkout && pays(checkout, intent) ? [recording, { do: 'sell' }] : [recording];
};

/**
 * Whether a payment is what an open attempt asks for. Then only an earlier payment makes the log refuse it, and one that comes too late,
 * since the attempt is outdated, still has its tickets returned.
 */
const pays = ({ payment, closing, intent, quote }: Attempt, { id, amount, currency }: IntentSeen): boolean =>
  !payment && !closing && intent?.intentId === id && amount === quote.total && currency === quote.currency;

const nextStep = (view: PurchaseView): PurchaseStep | PurchaseRest => {
  const { checkout } = view;
  if (!checkout) return { do: 'look-at-checkout' };
  if (checkout.payment) return fulfil(view, checkout);
  if (checkout.closed) return tidy(view, checkout);
  if (checkout.closing) return close(view, checkout);
  const why = reasonToClose(view, checkout);
  return why ? { do: 'begin-closing', why } : open(view, checkout);
};

const reasonToClose = (view: PurchaseView, { until }: Attempt): ClosingReason | undefined => {
  if (view.close) return view.close;
  if (view.inventory === 'sold_out' || view.inventory === 'sales_closed') return view.inventory;
  if (view.promotion === 'refused') return 'promotion_refused';
  if (view.intent === 'refused') return 'payment_refused';
  const over = view.inventory === 'ended' || Date.parse(view.at) >= Date.parse(until);
  return over ? 'expired' : undefined;
};

const open = (view: PurchaseView, { intent, quote }: Attempt): PurchaseStep | PurchaseRest => {
  // The intent is attached last: if there is one, the tickets and the promotion are held.
  if (intent) return 'waiting-for-payment';
  if (view.inventory === undefined) return { do: 'hold' };
  if (quote.promotion && view.promotion === undefined) return { do: 'reserve-promotion' };
  if (quote.total === 0) return view.claimed ? { do: 'record-nothing-owed' } : 'waiting-for-payment';
  return attach(view) ?? { do: 'create-intent' };
};

const attach = ({ intent }: PurchaseView): PurchaseStep | undefined =>
  intent && intent !== 'refused' ? { do: 'attach-intent', intent } : undefined;

const fulfil = (view: PurchaseView, attempt: Attempt): PurchaseStep | PurchaseRest => {
  const { outcome, quote, closing, payment } = attempt;
  if (outcome === 'completed') return redeem(view) ?? 'done';
  if (outcome) return undo(view);
  if (view.booking === undefined) return { do: 'look-at-booking' };
  const { facts, unfilled } = view.booking;
  if (unfilled) return { do: 'mark-unfilled', why: unfilled };
  if (facts) return quote.promotion ? (redeem(view) ?? { do: 'complete' }) : 'done';
  // A late payment may come after the account was erased, whatever its attempt was closed for.
  if (payment?.late && closing !== 'erased' && view.gone === undefined) return { do: 'look-at-account' };
  // The person has deleted their account: they get their money back instead of tickets, which they could not use.
  if (closing === 'erased' || view.gone) return { do: 'place-unfilled', why: 'sales_closed' };
  // A late payment is a new sale, and sales close at the start, even if the tickets were sold while it was recorded.
  if (payment?.late && view.started === undefined) return { do: 'look-at-listing' };
  if (view.started) return { do: 'place-unfilled', why: 'sales_closed' };
  if (view.inventory === 'sold') return { do: 'place-booking' };
  if (view.inventory === 'sold_out' || view.inventory === 'sales_closed') {
    return { do: 'place-unfilled', why: view.inventory };
  }
  return { do: 'sell' };
};

const redeem = ({ checkout, promotion }: PurchaseView): PurchaseStep | undefined =>
  checkout?.quote.promotion && promotion !== 'redeemed' ? { do: 'redeem' } : undefined;

/** Until when an attempt's tickets wait for the provider's answer about its intent, in milliseconds since the epoch. */
export const patienceEnds = ({ until }: Pick<Attempt, 'until'>): number => Date.parse(until) + HOLD_GRACE;

const close = (view: PurchaseView, attempt: Attempt): PurchaseStep | PurchaseRest => {
  const { intent } = attempt;
  // An intent that was made meanwhile is recorded, so that the next run also knows that it must be cancelled.
  if (!intent) return attach(view) ?? release(view) ?? { do: 'finish-closing' };
  const left = cancel(view, intent.intentId);
  if (left && !(left === 'waiting-for-provider' && Date.parse(view.at) >= patienceEnds(attempt))) return left;
  return release(view) ?? { do: 'finish-closing' };
};

/** What is left to do until an intent is cancelled; undefined if it is. */
const cancel = ({ cancelled }: PurchaseView, intentId: string): PurchaseStep | PurchaseRest | undefined => {
  if (cancelled?.id !== intentId) return { do: 'cancel-intent', intentId };
  if (cancelled.status === 'succeeded') return { do: 'record-payment', intent: cancelled };
  return cancelled.status === 'canceled' ? undefined : 'waiting-for-provider';
};

/** What is left to do for a closed attempt. Late holds and reservations are refused, but a slow run may have made an intent, which is cancelled. */
const tidy = (view: PurchaseView, { intent: attached }: Attempt): PurchaseStep | PurchaseRest => {
  const { intent } = view;
  if (!intent || intent === 'refused' || intent.id === attached?.intentId) return 'done';
  return cancel(view, intent.id) ?? 'done';
};

const release = (view: PurchaseView): PurchaseStep | undefined =>
  releasePromotion(view) ?? (view.inventory === 'ended' ? undefined : { do: 'release-hold' });

const releasePromotion = ({ checkout, promotion }: PurchaseView): PurchaseStep | undefined =>
  checkout?.quote.promotion && promotion !== 'released' ? { do: 'release-promotion' } : undefined;

/** Undoes an attempt that was paid but got no tickets: what was taken is returned, and the money is paid back. */
const undo = (view: PurchaseView): PurchaseStep | PurchaseRest => {
  // A slow run may have sold the tickets after the booking was found unfilled.
  if (view.inventory === undefined) return { do: 'look-at-inventory' };
  if (view.inventory === 'sold') return { do: 'return-tickets' };
  if (view.inventory !== 'returned' && view.inventory !== 'ended') return { do: 'release-hold' };
  const paid = view.checkout?.payment?.amount ?? 0;
  if (paid > 0 && view.refund === undefined) return { do: 'request-refund' };
  return releasePromotion(view) ?? 'done';
};

const RELEASED_FOR: Readonly<Record<ClosingReason, ReleaseReason>> = {
  expired: 'expired',
  repriced: 'repriced',
  abandoned: 'abandoned',
  erased: 'erased',
  sold_out: 'refused',
  sales_closed: 'refused',
  promotion_refused: 'refused',
  payment_refused: 'refused',
  too_many_holds: 'refused',
};

/** The reason of the refund, as the person reads it. */
const REASON: Readonly<Record<Unfilled, string>> = {
  sold_out: 'Paid, but no tickets were left',
  sales_closed: 'Paid, but sales had closed',
};

const order = (view: PurchaseView, step: PurchaseStep): Order | ProviderCall => {
  const checkoutOf = checkoutId(view.userId, view.listingId);
  if (step.do === 'look-at-checkout') return look(checkout, checkoutOf);
  if (step.do === 'record-payment') {
    const { id: intentId, amount, currency } = step.intent;
    const paid = { attempt: view.attempt, intentId, amount, currency };
    return ask(checkout, checkoutOf, { type: 'RecordPayment', ...paid });
  }
  const known = view.checkout;
  if (!known) throw new Error(`attempt ${view.attempt}: ${step.do} before it was seen`);
  const { attempt, bookingId, userId, listingId, quote, until } = known;
  const { quantity } = quote;
  const ids = { attempt, bookingId, userId };
  const promotionId = quote.promotion?.promotionId ?? 0;
  switch (step.do) {
    case 'look-at-inventory':
      return look(inventory, listingId);
    case 'look-at-listing':
      return look(listing, listingId);
    case 'look-at-account':
      return look(account, userId);
    case 'look-at-booking':
      return look(booking, bookingId);
    case 'hold':
      return ask(inventory, listingId, { type: 'HoldTickets', ...ids, quantity, until });
    case 'sell':
      return ask(inventory, listingId, { type: 'SellTickets', ...ids, quantity });
    case 'release-hold': {
      const why = (known.closing && saidOf(RELEASED_FOR, known.closing)) ?? 'refused';
      return ask(inventory, listingId, { type: 'ReleaseHold', attempt, bookingId, why, at: view.at });
    }
    case 'return-tickets':
      return ask(inventory, listingId, { type: 'ReturnTickets', bookingId, cancellation: 1 });
    case 'reserve-promotion':
      return ask(promotion, promotionId, { type: 'ReserveUse', attempt, at: view.at });
    case 'redeem':
      return ask(promotion, promotionId, { type: 'RedeemUse', attempt, bookingId });
    case 'release-promotion':
      return ask(promotion, promotionId, { type: 'ReleaseUse', attempt });
    case 'create-intent':
      return { call: 'create-intent', attempt: known };
    case 'cancel-intent':
      return { call: 'cancel-intent', intentId: step.intentId, attempt: known };
    case 'attach-intent': {
      const { id: intentId, amount } = step.intent;
      return ask(checkout, checkoutOf, { type: 'AttachIntent', attempt, intentId, amount });
    }
    case 'record-nothing-owed': {
      const nothing = { intentId: null, amount: 0, currency: quote.currency };
      return ask(checkout, checkoutOf, { type: 'RecordPayment', attempt, ...nothing });
    }
    case 'begin-closing':
      return ask(checkout, checkoutOf, { type: 'BeginClosing', attempt, why: step.why });
    case 'finish-closing': {
      const intentId = known.intent?.intentId ?? null;
      return ask(checkout, checkoutOf, { type: 'FinishClosing', attempt, intentId });
    }
    case 'complete':
      return ask(checkout, checkoutOf, { type: 'Complete', attempt });
    case 'mark-unfilled':
      return ask(checkout, checkoutOf, { type: 'MarkUnfilled', attempt, why: step.why });
    case 'place-booking':
      return ask(booking, bookingId, { type: 'PlaceBooking', ...factsOf(known) });
    case 'place-unfilled':
      return ask(booking, bookingId, { type: 'PlaceUnfilled', why: step.why, ...factsOf(known) });
    case 'request-refund':
      return ask(refund, bookingId, refundInFull(view, known));
  }
};

const factsOf = (known: Attempt): BookingFacts => {
  const { bookingId, reference, userId, listingId, attempt, quote, startsAt, payment } = known;
  const intentId = payment?.intentId ?? null;
  const ids = { bookingId, reference, userId, listingId, attempt };
  return { ...ids, quote, intentId, policy: REFUND_POLICY, startsAt };
};

const refundInFull = (view: PurchaseView, known: Attempt): RefundCommand => {
  const { bookingId, userId, listingId, payment, outcome } = known;
  const paid = payment?.amount ?? 0;
  const unfilled = outcome && outcome !== 'completed' ? outcome.unfilled : 'sold_out';
  return {
    type: 'RequestRefund',
    ...{ bookingId, userId, listingId, intentId: payment?.intentId ?? null },
    amount: paid,
    paid,
    reason: view.erased ? erased : (saidOf(REASON, unfilled) ?? 'Paid, but not booked'),
    processingType: 'auto_approved',
    cancellation: 1,
  };
};

/** What is known after an accepted step, for streams whose state the view does not keep. */
const KNOWN_AFTER: Readonly<Partial<Record<PurchaseStep['do'], Partial<PurchaseView>>>> = {
  hold: { inventory: 'held' },
  sell: { inventory: 'sold' },
  'release-hold': { inventory: 'ended' },
  'return-tickets': { inventory: 'returned' },
  'reserve-promotion': { promotion: 'reserved' },
  redeem: { promotion: 'redeemed' },
  'release-promotion': { promotion: 'released' },
  'request-refund': { refund: 'requested' },
};

const seen = (view: PurchaseView, step: PurchaseStep, answer: Seen): PurchaseView => {
  const known = KNOWN_AFTER[step.do];
  if (known) return { ...view, ...known };
  const checkedOut = stateOf(answer, checkout);
  if (checkedOut) return withCheckout(recorded(view, step, answer), checkedOut);
  const booked = stateOf(answer, booking);
  if (booked) return { ...view, booking: booked, ...(answer.news ? { placed: true } : {}) };
  const tickets = stateOf(answer, inventory);
  if (tickets) return { ...view, inventory: wordOn(tickets, view.attempt, view.checkout?.bookingId ?? 0) };
  const buyer = stateOf(answer, account);
  if (buyer) return { ...view, gone: buyer.erased };
  const { schedule } = stateOf(answer, listing) ?? {};
  return { ...view, started: !!schedule && Date.parse(view.at) >= Date.parse(schedule.startsAt) };
};

/** Nothing is booked before a payment is recorded: whoever has just recorded it need not read the booking. */
const recorded = (view: PurchaseView, step: PurchaseStep, { news }: Seen): PurchaseView => {
  if (step.do !== 'record-payment' && step.do !== 'record-nothing-owed') return view;
  return news ? { ...view, recorded: 'now', booking: booking.initial } : { ...view, recorded: 'before' };
};

const withCheckout = (view: PurchaseView, state: CheckoutState): PurchaseView => {
  const known = state.attempts.get(view.attempt);
  return known ? { ...view, checkout: known } : { ...view, stuck: 'CHECKOUT_NOT_FOUND' };
};

/** Another run has changed the checkout: everything is forgotten but the provider's answers, and read again. */
const lookAgain = (view: PurchaseView): PurchaseView => ({
  ...view,
  checkout: undefined,
  inventory: undefined,
  promotion: undefined,
  booking: undefined,
  refund: undefined,
});

const refused = (view: PurchaseView, step: PurchaseStep, code: ErrorCode): PurchaseView => {
  switch (step.do) {
    case 'hold':
    case 'sell':
      if (code === 'SOLD_OUT') return { ...view, inventory: 'sold_out' };
      if (code === 'SALES_CLOSED') return { ...view, inventory: 'sales_closed' };
      if (code === 'HOLD_ENDED') return { ...view, inventory: 'ended' };
      break;
    case 'reserve-promotion':
      return { ...view, promotion: 'refused' };
    case 'place-booking':
    case 'place-unfilled':
      // Another run has decided otherwise before.
      if (code === 'CONFLICT') return { ...view, booking: undefined };
      break;
    case 'record-nothing-owed':
    case 'attach-intent':
    case 'begin-closing':
    case 'finish-closing':
      if (code === 'PAYMENT_MISMATCH') break;
      return lookAgain(view);
    case 'request-refund':
      if (code === 'ERASED' && !view.erased) return { ...view, erased: true };
      break;
  }
  return { ...view, stuck: code };
};

/**
 * Brings an attempt to buy to its end. Tickets are held, the promotion is reserved, and an intent is made. Nothing counts as paid before
 * that, nor what costs nothing: it would use a code beyond its limit, since a paid purchase is never refused for its code. Once it is paid, the tickets are sold (this step decides
 * whether the buyer gets them) and the booking is placed. An attempt that is not paid in time is closed. If it is paid and no ticket is
 * left, the money is paid back.
 */
export const purchase: Chain<PurchaseView, PurchaseStep, PurchaseRest, ProviderCall, ProviderReply> = {
  name: 'purchase',
  next,
  order,
  learn(view, step, answer) {
    if ('rejected' in answer) return refused(view, step, answer.rejected);
    if ('intent' in answer) return { ...view, intent: answer.intent };
    if ('cancelled' in answer) {
      const id = step.do === 'cancel-intent' ? step.intentId : '';
      return {
        ...view,
        cancelled: answer.cancelled ?? { id, status: 'canceled', amount: 0, currency: 'gbp' },
      };
    }
    return seen(view, step, answer);
  },
};
