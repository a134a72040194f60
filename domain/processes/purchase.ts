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
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { erased } from '#domain/kernel/personal.ts';
import { HOLD_GRACE, REFUND_POLICY } from '#domain/kernel/policy.ts';
import {
  decide,
  load,
  type ProcessManager,
  type Seen,
  type StreamRequest,
  stateOf,
} from '#domain/kernel/process.ts';
import { listing } from '#domain/listing/listing.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';

export interface AttemptKey {
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
}

/** As last reported by the provider. Amount in pence. */
export interface IntentSeen {
  readonly id: string;
  readonly status: 'open' | 'processing' | 'succeeded' | 'canceled';
  readonly amount: number;
  readonly currency: string;
}

/** Only `checkout` must be loaded. Unknown facts are fetched or repeated, which is harmless. */
export interface PurchaseView extends AttemptKey {
  readonly at: string;
  readonly close?: ClosingReason;
  /** Rest once the booking exists; a job does the rest. */
  readonly until?: 'placed' | undefined;
  /** The buyer asks for the booking. A free attempt then counts as paid, once its tickets and promotion are held. */
  readonly claimed?: true;
  /** Set if the provider reports the intent as paid; its payment is recorded first. */
  readonly paid?: IntentSeen;
  readonly recorded?: 'now' | 'before';
  readonly checkout?: Attempt;
  readonly inventory?: InventoryWord | Unfilled;
  readonly promotion?: 'reserved' | 'refused' | 'redeemed' | 'released';
  readonly booking?: BookingState;
  readonly placed?: true;
  readonly started?: boolean;
  readonly gone?: boolean;
  readonly refund?: 'requested';
  readonly intent?: IntentSeen | 'refused';
  /** Of the intent made by this run. */
  readonly clientSecret?: string | null;
  readonly cancelled?: IntentSeen;
  /** The key was destroyed: no personal data can be recorded. */
  readonly erased?: true;
  readonly stuck?: ErrorCode;
}

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
 * `waiting-for-provider`: the intent is neither cancelled nor paid; retry later. The buyer can be answered
 * once the booking exists.
 */
export type PurchaseRest = 'done' | 'placed' | 'waiting-for-payment' | 'waiting-for-provider' | 'stuck';

export type ProviderCall =
  | { readonly call: 'create-intent'; readonly attempt: Attempt }
  | { readonly call: 'cancel-intent'; readonly intentId: string; readonly attempt: Attempt };

/** `cancelled` is undefined if the provider has no such intent, so it cannot be paid. */
export type ProviderReply =
  | { readonly intent: IntentSeen | 'refused'; readonly clientSecret?: string | null }
  | { readonly cancelled: IntentSeen | undefined };

const next = (view: PurchaseView): readonly PurchaseStep[] | PurchaseRest => {
  if (view.stuck) return 'stuck';
  if (view.until && isPlaced(view)) return view.until;
  if (view.paid && !view.recorded) return record(view, view.paid);
  const step = nextStep(view);
  return typeof step === 'string' ? step : [step];
};

export const isPlaced = ({ booking: booked }: Pick<PurchaseView, 'booking'>): boolean =>
  !!booked?.facts && !booked.unfilled;

/** An open attempt's tickets are sold while its payment is recorded. */
const record = ({ checkout }: PurchaseView, intent: IntentSeen): readonly PurchaseStep[] => {
  const recording = { do: 'record-payment', intent } as const;
  return checkout && pays(checkout, intent) ? [recording, { do: 'sell' }] : [recording];
};

/**
 * Whether a payment matches an open attempt. The log then refuses it only after an earlier payment; a late
 * one still has its tickets returned.
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
  // The intent is attached last, so tickets and promotion are held.
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
  // A late payment may follow the erasure of the account, whatever the attempt's closing reason.
  if (payment?.late && closing !== 'erased' && view.gone === undefined) return { do: 'look-at-account' };
  // The account was deleted: refund instead of unusable tickets.
  if (closing === 'erased' || view.gone) return { do: 'place-unfilled', why: 'sales_closed' };
  // A late payment is a new sale, and sales close at the start, even if the tickets were sold while it was
  // recorded.
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

/** Epoch milliseconds until which the tickets wait for the provider's answer about the intent. */
export const patienceEnds = ({ until }: Pick<Attempt, 'until'>): number => Date.parse(until) + HOLD_GRACE;

const close = (view: PurchaseView, attempt: Attempt): PurchaseStep | PurchaseRest => {
  const { intent } = attempt;
  // Record an intent created meanwhile, so that the next run also cancels it.
  if (!intent) return attach(view) ?? release(view) ?? { do: 'finish-closing' };
  const left = cancel(view, intent.intentId);
  if (left && !(left === 'waiting-for-provider' && Date.parse(view.at) >= patienceEnds(attempt))) return left;
  return release(view) ?? { do: 'finish-closing' };
};

const cancel = ({ cancelled }: PurchaseView, intentId: string): PurchaseStep | PurchaseRest | undefined => {
  if (cancelled?.id !== intentId) return { do: 'cancel-intent', intentId };
  if (cancelled.status === 'succeeded') return { do: 'record-payment', intent: cancelled };
  return cancelled.status === 'canceled' ? undefined : 'waiting-for-provider';
};

/** Late holds and reservations are refused, but a slow run may have created an intent, which must be cancelled. */
const tidy = (view: PurchaseView, { intent: attached }: Attempt): PurchaseStep | PurchaseRest => {
  const { intent } = view;
  if (!intent || intent === 'refused' || intent.id === attached?.intentId) return 'done';
  return cancel(view, intent.id) ?? 'done';
};

const release = (view: PurchaseView): PurchaseStep | undefined =>
  releasePromotion(view) ?? (view.inventory === 'ended' ? undefined : { do: 'release-hold' });

const releasePromotion = ({ checkout, promotion }: PurchaseView): PurchaseStep | undefined =>
  checkout?.quote.promotion && promotion !== 'released' ? { do: 'release-promotion' } : undefined;

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

const REASON: Readonly<Record<Unfilled, string>> = {
  sold_out: 'Paid, but no tickets were left',
  sales_closed: 'Paid, but sales had closed',
};

const request = (view: PurchaseView, step: PurchaseStep): StreamRequest | ProviderCall => {
  const checkoutOf = checkoutId(view.userId, view.listingId);
  if (step.do === 'look-at-checkout') return load(checkout, checkoutOf);
  if (step.do === 'record-payment') {
    const { id: intentId, amount, currency } = step.intent;
    const paid = { attempt: view.attempt, intentId, amount, currency };
    return decide(checkout, checkoutOf, { type: 'RecordPayment', ...paid });
  }
  const known = view.checkout;
  if (!known) throw new Error(`attempt ${view.attempt}: ${step.do} before it was seen`);
  const { attempt, bookingId, userId, listingId, quote, until } = known;
  const { quantity } = quote;
  const ids = { attempt, bookingId, userId };
  const promotionId = quote.promotion?.promotionId ?? 0;
  switch (step.do) {
    case 'look-at-inventory':
      return load(inventory, listingId);
    case 'look-at-listing':
      return load(listing, listingId);
    case 'look-at-account':
      return load(account, userId);
    case 'look-at-booking':
      return load(booking, bookingId);
    case 'hold':
      return decide(inventory, listingId, { type: 'HoldTickets', ...ids, quantity, until });
    case 'sell':
      return decide(inventory, listingId, { type: 'SellTickets', ...ids, quantity });
    case 'release-hold': {
      const why = (known.closing && lookup(RELEASED_FOR, known.closing)) ?? 'refused';
      return decide(inventory, listingId, { type: 'ReleaseHold', attempt, bookingId, why, at: view.at });
    }
    case 'return-tickets':
      return decide(inventory, listingId, { type: 'ReturnTickets', bookingId, cancellation: 1 });
    case 'reserve-promotion':
      return decide(promotion, promotionId, { type: 'ReserveUse', attempt, at: view.at });
    case 'redeem':
      return decide(promotion, promotionId, { type: 'RedeemUse', attempt, bookingId });
    case 'release-promotion':
      return decide(promotion, promotionId, { type: 'ReleaseUse', attempt });
    case 'create-intent':
      return { call: 'create-intent', attempt: known };
    case 'cancel-intent':
      return { call: 'cancel-intent', intentId: step.intentId, attempt: known };
    case 'attach-intent': {
      const { id: intentId, amount } = step.intent;
      return decide(checkout, checkoutOf, { type: 'AttachIntent', attempt, intentId, amount });
    }
    case 'record-nothing-owed': {
      const nothing = { intentId: null, amount: 0, currency: quote.currency };
      return decide(checkout, checkoutOf, { type: 'RecordPayment', attempt, ...nothing });
    }
    case 'begin-closing':
      return decide(checkout, checkoutOf, { type: 'BeginClosing', attempt, why: step.why });
    case 'finish-closing': {
      const intentId = known.intent?.intentId ?? null;
      return decide(checkout, checkoutOf, { type: 'FinishClosing', attempt, intentId });
    }
    case 'complete':
      return decide(checkout, checkoutOf, { type: 'Complete', attempt });
    case 'mark-unfilled':
      return decide(checkout, checkoutOf, { type: 'MarkUnfilled', attempt, why: step.why });
    case 'place-booking':
      return decide(booking, bookingId, { type: 'PlaceBooking', ...factsOf(known) });
    case 'place-unfilled':
      return decide(booking, bookingId, { type: 'PlaceUnfilled', why: step.why, ...factsOf(known) });
    case 'request-refund':
      return decide(refund, bookingId, refundInFull(view, known));
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
    reason: view.erased ? erased : (lookup(REASON, unfilled) ?? 'Paid, but not booked'),
    processingType: 'auto_approved',
    cancellation: 1,
  };
};

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

/** Nothing is booked before a payment is recorded, so a run that has just recorded it need not load the booking. */
const recorded = (view: PurchaseView, step: PurchaseStep, { news }: Seen): PurchaseView => {
  if (step.do !== 'record-payment' && step.do !== 'record-nothing-owed') return view;
  return news ? { ...view, recorded: 'now', booking: booking.initial } : { ...view, recorded: 'before' };
};

const withCheckout = (view: PurchaseView, state: CheckoutState): PurchaseView => {
  const known = state.attempts.get(view.attempt);
  return known ? { ...view, checkout: known } : { ...view, stuck: 'CHECKOUT_NOT_FOUND' };
};

/** Another run changed the checkout: keep only the provider's answers and reload. */
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
 * Selling the tickets decides whether a buyer gets them; otherwise a payment is refunded. Free attempts
 * count as paid only after the holds: a code could exceed its limit, since paid purchases are never refused
 * for their code.
 */
export const purchase: ProcessManager<PurchaseView, PurchaseStep, PurchaseRest, ProviderCall, ProviderReply> =
  {
    name: 'purchase',
    next,
    request,
    apply(view, step, answer) {
      if ('rejected' in answer) return refused(view, step, answer.rejected);
      if ('intent' in answer)
        return { ...view, intent: answer.intent, clientSecret: answer.clientSecret ?? null };
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
