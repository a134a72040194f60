import type { BookingState } from '#domain/booking/state.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { type InventoryState, wordOn } from '#domain/inventory/state.ts';
import type { IntentSeen, PurchaseView, Step } from './chain.ts';
import type { CheckoutState } from './state.ts';

/** What came of a step. */
export type Answer =
  /** A look: the state as of now. */
  | { readonly looked: 'checkout'; readonly state: CheckoutState }
  | { readonly looked: 'inventory'; readonly state: InventoryState }
  | { readonly looked: 'booking'; readonly state: BookingState }
  /** A command that stands. `checkout`: the state after it, where it was the checkout's. */
  | { readonly done: true; readonly checkout?: CheckoutState }
  /** A command that was refused. */
  | { readonly refused: ErrorCode }
  /** The provider made an intent, or says that it never will. */
  | { readonly made: IntentSeen | 'refused' }
  /** The provider was asked to cancel an intent, which is now so; undefined where it doesn't know it. */
  | { readonly cancelled: IntentSeen | undefined };

/** What is known after a step. A refusal that no step can mend makes the view `stuck`. */
export const learn = (view: PurchaseView, step: Step, answer: Answer): PurchaseView => {
  if ('looked' in answer) return look(view, answer);
  if ('made' in answer) return { ...view, made: answer.made };
  if ('cancelled' in answer) return { ...view, cancelled: answer.cancelled ?? unknownIntent(step) };
  if ('refused' in answer) return refused(view, step, answer.refused);
  if (answer.checkout) return withCheckout(view, answer.checkout);
  if (step.do === 'place-unfilled') return { ...view, booking: { unfilled: step.why } };
  return { ...view, ...KNOWN_AFTER[step.do] };
};

/** What a command that stands says of its target. */
const KNOWN_AFTER: Readonly<Partial<Record<Step['do'], Partial<PurchaseView>>>> = {
  hold: { inventory: 'held' },
  sell: { inventory: 'sold' },
  'release-hold': { inventory: 'ended' },
  'return-tickets': { inventory: 'returned' },
  'reserve-promotion': { promotion: 'reserved' },
  redeem: { promotion: 'redeemed' },
  'release-promotion': { promotion: 'released' },
  'place-booking': { booking: 'placed' },
  'request-refund': { refund: 'requested' },
};

const look = (view: PurchaseView, answer: Extract<Answer, { looked: string }>): PurchaseView => {
  if (answer.looked === 'checkout') return withCheckout(view, answer.state);
  if (answer.looked === 'booking') return { ...view, booking: bookingWord(answer.state) };
  const bookingId = view.checkout?.bookingId ?? 0;
  return { ...view, inventory: wordOn(answer.state, view.attempt, bookingId) };
};

const withCheckout = (view: PurchaseView, state: CheckoutState): PurchaseView => {
  const checkout = state.attempts.get(view.attempt);
  return checkout ? { ...view, checkout } : { ...view, stuck: 'CHECKOUT_NOT_FOUND' };
};

const bookingWord = ({ facts, unfilled }: BookingState): PurchaseView['booking'] => {
  if (!facts) return 'none';
  return unfilled ? { unfilled } : 'placed';
};

/** An intent that the provider doesn't know can't be paid. */
const unknownIntent = (step: Step): IntentSeen | undefined =>
  step.do === 'cancel-intent'
    ? { id: step.intentId, status: 'canceled', amount: 0, currency: 'gbp' }
    : undefined;

/** The checkout has moved on under us: what was learnt before may no longer fit, but for the provider's word. */
const lookAgain = (view: PurchaseView): PurchaseView => ({
  ...view,
  checkout: undefined,
  inventory: undefined,
  promotion: undefined,
  booking: undefined,
  refund: undefined,
});

const refused = (view: PurchaseView, step: Step, code: ErrorCode): PurchaseView => {
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
      // Somebody else decided otherwise, and first.
      if (code === 'CONFLICT') return { ...view, booking: undefined };
      break;
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
