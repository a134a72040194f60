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

/** The commands of a person's checkout of one listing. Amounts are in pence, times are ISO instants. */
export type CheckoutCommand =
  | ({
      readonly type: 'OpenCheckout';
      readonly at: string;
      /**
       * The previous, paid attempt, if the caller has seen that its booking was placed. Never an unfilled one: its money has still to
       * be paid back, and it is over when `advance` has marked it.
       */
      readonly settled?: string;
      /** The last booking of the listing that the buyer knows of; null for none. Without it nothing is compared. */
      readonly lastBookingId?: number | null | undefined;
      /** Missing: tickets may be held as often as one likes. */
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
      /** Null if there was nothing to pay. */
      readonly intentId: string | null;
      readonly amount: number;
      readonly currency: string;
    }
  | { readonly type: 'BeginClosing'; readonly attempt: string; readonly why: ClosingReason }
  | {
      readonly type: 'FinishClosing';
      readonly attempt: string;
      /** The intent that the caller has cancelled; null if there was none. */
      readonly intentId: string | null;
    }
  | { readonly type: 'Complete'; readonly attempt: string }
  | { readonly type: 'MarkUnfilled'; readonly attempt: string; readonly why: Unfilled };

type Command<Type extends CheckoutCommand['type']> = Extract<CheckoutCommand, { type: Type }>;

/**
 * The rules of a checkout, the process manager of a purchase. At most one attempt is live. Closing never begins once the attempt is paid.
 * A payment that comes after closing began is recorded as late, also for older attempts.
 *
 * `OpenCheckout` refuses with ALREADY_PAID `{ attempt, bookingId }` while a paid attempt is not known to be settled, and with
 * CHECKOUT_OPEN `{ attempt, why }` while another attempt has to be closed first, with HELD_TOO_OFTEN `{ until }` after so many holds
 * without a purchase (`keeps` if the live attempt would have to be closed first, and so would be one too many), and with JUST_BOUGHT `{ bookingId }` if the buyer does
 * not know of their last purchase. If the live attempt has the same quote it succeeds
 * without an event, and that attempt is used (`liveAttempt`).
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
  // Whoever could hold nothing once it is given up keeps it.
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
  // An attempt that is closing still records its intent, so that closing cancels the intent before it ends.
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
  // A free attempt that is closing has lost its tickets: no money can come late.
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
  // An intent was attached meanwhile: it has to be cancelled first.
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

/** The checkout aggregate. Its id is `{userId}-{listingId}`, its stream `checkout-{userId}-{listingId}`. */
export const checkout: Aggregate<CheckoutState, CheckoutCommand, CheckoutEvent> = {
  name: 'checkout',
  initial,
  evolve,
  decide,
};

/** The id of a person's checkout of a listing. */
export const checkoutId = (userId: string, listingId: number): string => `${userId}-${listingId}`;

/** The person and the listing of a checkout's stream. */
export const checkoutOf = (stream: string): { readonly userId: string; readonly listingId: number } => {
  const id = stream.slice(streamOf(checkout, '').length);
  const at = id.lastIndexOf('-');
  return { userId: id.slice(0, at), listingId: Number(id.slice(at + 1)) };
};
