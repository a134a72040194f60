/**
 * The purchase as a chain of steps. There is no transaction across streams: each step is one append or
 * one call to the provider, every target answers a repeat with success, and whoever advances an attempt does the
 * next missing step until it rests. `nextStep` says which that is, `orders.ts` what it asks of whom, `learn` what is known
 * afterwards. Stopped anywhere and taken up again, by anyone and by several, an attempt ends finished or undone.
 */
import type { ErrorCode } from '#domain/errors.ts';
import { HOLD_GRACE } from '#domain/policy.ts';
import type { ClosingReason, Unfilled } from './events.ts';
import type { Attempt } from './state.ts';

/** An intent as the provider last described it. Amount in pence. */
export interface IntentSeen {
  readonly id: string;
  readonly status: 'open' | 'processing' | 'succeeded' | 'canceled';
  readonly amount: number;
  readonly currency: string;
}

/**
 * What whoever advances an attempt knows of it. Only `checkout` comes from reading; everything else is learnt by the
 * steps of this run, and whatever is not known is asked for or done once more, which is harmless.
 */
export interface PurchaseView {
  readonly attempt: string;
  /** ISO instant: now. */
  readonly at: string;
  /** The wish to end the attempt if it is not paid. One past its `until` is closed as expired without a wish. */
  readonly close?: ClosingReason;
  readonly checkout?: Attempt;
  /** `sold_out` and `sales_closed`: it refused to hold or to sell. */
  readonly inventory?: 'none' | 'held' | 'sold' | 'returned' | 'ended' | Unfilled;
  readonly promotion?: 'reserved' | 'refused' | 'redeemed' | 'released';
  /** Whoever has just recorded the payment knows that there is none, and need not look. */
  readonly booking?: 'none' | 'placed' | { readonly unfilled: Unfilled };
  readonly refund?: 'requested';
  /** The intent that this run had made; `refused` if the provider made none and never would. */
  readonly made?: IntentSeen | 'refused';
  /** The intent that this run asked to be cancelled, as the provider then described it. */
  readonly cancelled?: IntentSeen;
  /** The person's key is gone, so that nothing personal can be recorded any more. */
  readonly erased?: true;
  /** A refusal that no step can mend: for the operators' list. */
  readonly stuck?: ErrorCode;
}

/** The next thing to do. */
export type Step =
  | { readonly do: 'look'; readonly at: 'checkout' | 'inventory' | 'booking' }
  | { readonly do: 'hold' }
  | { readonly do: 'reserve-promotion' }
  | { readonly do: 'create-intent' }
  | { readonly do: 'attach-intent'; readonly intent: IntentSeen }
  | { readonly do: 'sell' }
  | { readonly do: 'place-booking' }
  | { readonly do: 'redeem' }
  | { readonly do: 'complete' }
  | { readonly do: 'begin-closing'; readonly why: ClosingReason }
  | { readonly do: 'cancel-intent'; readonly intentId: string }
  | { readonly do: 'record-payment'; readonly intent: IntentSeen }
  | { readonly do: 'release-promotion' }
  | { readonly do: 'release-hold' }
  | { readonly do: 'finish-closing' }
  | { readonly do: 'place-unfilled'; readonly why: Unfilled }
  | { readonly do: 'mark-unfilled'; readonly why: Unfilled }
  | { readonly do: 'return-tickets' }
  | { readonly do: 'request-refund' };

/**
 * Nothing to do for now. `waiting-for-provider`: it would neither cancel the intent nor say that it was paid; try
 * again later. `stuck`: see the view. (Once the view's `booking` is placed the buyer can be answered, and what is
 * left may be done by a job.)
 */
export type Rest = 'done' | 'waiting-for-payment' | 'waiting-for-provider' | 'stuck';

/** The next missing step of an attempt, or why there is none. */
export const nextStep = (view: PurchaseView): Step | Rest => {
  if (view.stuck) return 'stuck';
  const { checkout } = view;
  if (!checkout) return { do: 'look', at: 'checkout' };
  if (checkout.payment) return fulfil(view, checkout);
  if (checkout.closed) return tidy(view, checkout);
  if (checkout.closing) return close(view, checkout);
  const why = reasonToClose(view, checkout);
  return why ? { do: 'begin-closing', why } : open(view, checkout);
};

const reasonToClose = (view: PurchaseView, checkout: Attempt): ClosingReason | undefined => {
  if (view.close) return view.close;
  if (view.inventory === 'sold_out' || view.inventory === 'sales_closed') return view.inventory;
  if (view.promotion === 'refused') return 'promotion_refused';
  if (view.made === 'refused') return 'payment_refused';
  const over = view.inventory === 'ended' || Date.parse(view.at) >= Date.parse(checkout.until);
  return over ? 'expired' : undefined;
};

const open = (view: PurchaseView, { intent, quote }: Attempt): Step | Rest => {
  // The intent is attached last, so where there is one the tickets and the promotion are held.
  if (intent) return 'waiting-for-payment';
  if (view.inventory === undefined) return { do: 'hold' };
  if (quote.promotion && view.promotion === undefined) return { do: 'reserve-promotion' };
  if (quote.total === 0) return 'waiting-for-payment';
  return attach(view) ?? { do: 'create-intent' };
};

const attach = ({ made }: PurchaseView): Step | undefined =>
  made && made !== 'refused' ? { do: 'attach-intent', intent: made } : undefined;

const fulfil = (view: PurchaseView, { outcome, quote, closing }: Attempt): Step | Rest => {
  if (outcome === 'completed') return redeem(view) ?? 'done';
  if (outcome) return undo(view);
  if (view.booking === undefined) return { do: 'look', at: 'booking' };
  if (view.booking === 'placed') {
    return quote.promotion ? (redeem(view) ?? { do: 'complete' }) : 'done';
  }
  if (view.booking !== 'none') return { do: 'mark-unfilled', why: view.booking.unfilled };
  // Whoever has deleted their account can't come any more.
  if (closing === 'erased') return { do: 'place-unfilled', why: 'sales_closed' };
  if (view.inventory === 'sold') return { do: 'place-booking' };
  if (view.inventory === 'sold_out' || view.inventory === 'sales_closed') {
    return { do: 'place-unfilled', why: view.inventory };
  }
  return { do: 'sell' };
};

const redeem = ({ checkout, promotion }: PurchaseView): Step | undefined =>
  checkout?.quote.promotion && promotion !== 'redeemed' ? { do: 'redeem' } : undefined;

/** Until when an attempt's tickets wait for the provider's word on its intent; milliseconds since the epoch. */
export const patienceEnds = ({ until }: Pick<Attempt, 'until'>): number => Date.parse(until) + HOLD_GRACE;

const close = (view: PurchaseView, attempt: Attempt): Step | Rest => {
  const { intent } = attempt;
  // An intent that was made meanwhile is recorded, so that it is cancelled by whoever comes next, too.
  if (!intent) return attach(view) ?? release(view) ?? { do: 'finish-closing' };
  const left = cancel(view, intent.intentId);
  if (left && !(left === 'waiting-for-provider' && Date.parse(view.at) >= patienceEnds(attempt))) return left;
  return release(view) ?? { do: 'finish-closing' };
};

/** What is left to do until an intent is known to be cancelled. */
const cancel = ({ cancelled }: PurchaseView, intentId: string): Step | Rest | undefined => {
  if (cancelled?.id !== intentId) return { do: 'cancel-intent', intentId };
  if (cancelled.status === 'succeeded') return { do: 'record-payment', intent: cancelled };
  return cancelled.status === 'canceled' ? undefined : 'waiting-for-provider';
};

/** Closed; holds and reservations that come late are refused. But somebody who was slow may have made an intent. */
const tidy = (view: PurchaseView, { intent }: Attempt): Step | Rest => {
  const { made } = view;
  const left = made && made !== 'refused' && made.id !== intent?.intentId ? cancel(view, made.id) : undefined;
  return left ?? 'done';
};

const release = (view: PurchaseView): Step | undefined =>
  releasePromotion(view) ?? (view.inventory === 'ended' ? undefined : { do: 'release-hold' });

const releasePromotion = ({ checkout, promotion }: PurchaseView): Step | undefined =>
  checkout?.quote.promotion && promotion !== 'released' ? { do: 'release-promotion' } : undefined;

/** Paid, but no tickets: whatever was taken goes back, the money too. */
const undo = (view: PurchaseView): Step | Rest => {
  // Somebody who was slow may have sold after the booking was found unfilled.
  if (view.inventory === undefined) return { do: 'look', at: 'inventory' };
  if (view.inventory === 'sold') return { do: 'return-tickets' };
  if (view.inventory !== 'returned' && view.inventory !== 'ended') return { do: 'release-hold' };
  const paid = view.checkout?.payment?.amount ?? 0;
  if (paid > 0 && view.refund === undefined) return { do: 'request-refund' };
  return releasePromotion(view) ?? 'done';
};
