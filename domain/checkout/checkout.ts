import { type Aggregate, type Decision, reject, streamOf } from '#domain/kernel/decider.ts';
import { SMALLEST_CHARGE } from '#domain/kernel/money.ts';
import type { AttemptFacts, CheckoutEvent, ClosingReason, Unfilled } from './events.ts';
import {
  type Attempt,
  boughtUnknown,
  type CheckoutState,
  evolve,
  initial,
  liveAttempt,
  pausedUntil,
  sameQuote,
  type UnpaidHolds,
} from './state.ts';

/** Amounts are in pence, times are ISO instants. */
export type CheckoutCommand =
  | ({
      readonly type: 'OpenCheckout';
      readonly at: string;
      /**
       * The previous, paid attempt, if its booking is placed. Never an unfilled one: its money must still be
       * paid back, and it ends when `advance` marks it.
       */
      readonly settled?: string;
      /** The buyer's last known booking of the listing; null for none, undefined to skip the check. */
      readonly lastBookingId?: number | null | undefined;
      /** Undefined for no limit. */
      readonly unpaidHolds?: UnpaidHolds | undefined;
    } & AttemptFacts)
  | {
      readonly type: 'AttachIntent';
      readonly attempt: string;
      readonly intentId: string;
      readonly amount: number;
    }
  | {
      readonly type: 'RecordPayment';
      readonly attempt: string;
      readonly intentId: string | null;
      readonly amount: number;
      readonly currency: string;
    }
  | { readonly type: 'BeginClosing'; readonly attempt: string; readonly why: ClosingReason }
  | {
      readonly type: 'FinishClosing';
      readonly attempt: string;
      readonly intentId: string | null;
    }
  | { readonly type: 'Complete'; readonly attempt: string }
  | { readonly type: 'MarkUnfilled'; readonly attempt: string; readonly why: Unfilled };

type Command<Type extends CheckoutCommand['type']> = Extract<CheckoutCommand, { type: Type }>;

/**
 * At most one attempt is live. Closing never begins after payment; a payment after closing began is recorded
 * as late, also for older attempts. `OpenCheckout` refuses with ALREADY_PAID `{ attempt, bookingId }` (not
 * known to be settled), CHECKOUT_OPEN `{ attempt, why }` (close this first), HELD_TOO_OFTEN `{ until }`
 * (`keeps`: closing the live attempt would be one too many), JUST_BOUGHT `{ bookingId }`. With an unchanged
 * quote it succeeds without an event (`liveAttempt`).
 */
const decide = (state: CheckoutState, command: CheckoutCommand): Decision<CheckoutEvent> => {
  if (command.type === 'OpenCheckout') return open(state, command);
  const attempt = state.attempts.get(command.attempt);
  if (!attempt) return reject('CHECKOUT_NOT_FOUND');
  switch (command.type) {
    case 'AttachIntent':
      return attachIntent(attempt, command);
    case 'RecordPayment':
      return recordPayment(attempt, command);
    case 'BeginClosing':
      return beginClosing(attempt, command);
    case 'FinishClosing':
      return finishClosing(attempt, command);
    case 'Complete':
      return complete(attempt);
    case 'MarkUnfilled':
      return markUnfilled(attempt, command);
  }
};

const open = (
  state: CheckoutState,
  { type: _, at, settled, lastBookingId, unpaidHolds, ...opened }: Command<'OpenCheckout'>,
): Decision<CheckoutEvent> => {
  if (state.attempts.has(opened.attempt)) return [];
  const unknown = boughtUnknown(state, lastBookingId, at);
  if (unknown) return reject('JUST_BOUGHT', { bookingId: unknown.bookingId });
  const { total } = opened.quote;
  if (total > 0 && total < SMALLEST_CHARGE) return reject('AMOUNT_TOO_SMALL');
  const next: CheckoutEvent = { type: 'CheckoutOpened', data: opened };
  const live = liveAttempt(state);
  const pauseAfter = (held: CheckoutState): string | undefined => {
    const paused = unpaidHolds && pausedUntil(held, unpaidHolds, at);
    return paused === undefined ? undefined : new Date(paused).toISOString();
  };
  if (!live) {
    const until = pauseAfter(state);
    return until ? reject('HELD_TOO_OFTEN', { until }) : [next];
  }
  const { attempt, bookingId } = live;
  if (live.payment) {
    if (settled !== attempt) return reject('ALREADY_PAID', { attempt, bookingId });
    return [{ type: 'CheckoutCompleted', data: { attempt, bookingId } }, next];
  }
  if (live.closing) return reject('CHECKOUT_OPEN', { attempt, why: live.closing });
  if (Date.parse(at) >= Date.parse(live.until)) return reject('CHECKOUT_OPEN', { attempt, why: 'expired' });
  if (sameQuote(live.quote, opened.quote)) return [];
  // Keep the live attempt if giving it up would start the pause.
  const why = 'repriced';
  const until = pauseAfter(evolve(state, { type: 'CheckoutClosing', data: { attempt, why } }, at));
  return until ? reject('HELD_TOO_OFTEN', { until, keeps: true }) : reject('CHECKOUT_OPEN', { attempt, why });
};

const attachIntent = (
  { attempt, intent, closed, quote }: Attempt,
  { intentId, amount }: Command<'AttachIntent'>,
): Decision<CheckoutEvent> => {
  if (intent) return intent.intentId === intentId ? [] : reject('CONFLICT');
  if (amount !== quote.total) return reject('PAYMENT_MISMATCH');
  // Record the intent even while closing, so that closing cancels it.
  if (closed) return reject('CHECKOUT_EXPIRED');
  return [{ type: 'IntentAttached', data: { attempt, intentId, amount } }];
};

const recordPayment = (
  { attempt, intent, payment, closing, quote }: Attempt,
  { intentId, amount, currency }: Command<'RecordPayment'>,
): Decision<CheckoutEvent> => {
  if (payment) return payment.intentId === intentId ? [] : reject('PAYMENT_MISMATCH');
  if (amount !== quote.total || currency !== quote.currency) return reject('PAYMENT_MISMATCH');
  if ((intentId === null) !== (quote.total === 0)) return reject('PAYMENT_MISMATCH');
  if (intent && intent.intentId !== intentId) return reject('PAYMENT_MISMATCH');
  // A closing free attempt has lost its tickets; no late payment is possible.
  if (closing && intentId === null) return reject('CHECKOUT_EXPIRED');
  return [{ type: 'PaymentReceived', data: { attempt, intentId, amount, late: closing !== null } }];
};

const beginClosing = (
  { attempt, bookingId, payment, closing }: Attempt,
  { why }: Command<'BeginClosing'>,
): Decision<CheckoutEvent> => {
  if (closing) return [];
  if (payment) return reject('ALREADY_PAID', { attempt, bookingId });
  return [{ type: 'CheckoutClosing', data: { attempt, why } }];
};

const finishClosing = (
  { attempt, intent, closing, closed }: Attempt,
  { intentId }: Command<'FinishClosing'>,
): Decision<CheckoutEvent> => {
  if (closed) return [];
  if (!closing) return reject('CONFLICT');
  // Cancel the intent attached meanwhile first.
  if (intent && intent.intentId !== intentId) return reject('CONFLICT');
  return [{ type: 'CheckoutClosed', data: { attempt, why: closing } }];
};

const complete = ({ attempt, bookingId, payment, outcome }: Attempt): Decision<CheckoutEvent> => {
  if (outcome === 'completed') return [];
  if (!payment) return reject('PAYMENT_INCOMPLETE');
  if (outcome) return reject('CONFLICT');
  return [{ type: 'CheckoutCompleted', data: { attempt, bookingId } }];
};

const markUnfilled = (
  { attempt, bookingId, payment, outcome }: Attempt,
  { why }: Command<'MarkUnfilled'>,
): Decision<CheckoutEvent> => {
  if (outcome !== null && outcome !== 'completed') return [];
  if (!payment) return reject('PAYMENT_INCOMPLETE');
  if (outcome) return reject('CONFLICT');
  return [{ type: 'CheckoutUnfilled', data: { attempt, bookingId, why } }];
};

export const checkout: Aggregate<CheckoutState, CheckoutCommand, CheckoutEvent> = {
  name: 'checkout',
  initial,
  evolve,
  decide,
};

export const checkoutId = (userId: string, listingId: number): string => `${userId}-${listingId}`;

export const checkoutOf = (stream: string): { readonly userId: string; readonly listingId: number } => {
  const id = stream.slice(streamOf(checkout, '').length);
  const at = id.lastIndexOf('-');
  return { userId: id.slice(0, at), listingId: Number(id.slice(at + 1)) };
};
