/** Booking what was paid, for the buyer's own call. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { BookingState } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { type Pence, toDecimal } from '#domain/money.ts';
import { Refusal, refusalOf } from '#domain/refusal.ts';
import { type Advanced, type Paid, paidBy } from './advance.ts';
import { type Desk, TOLD } from './desk.ts';

/** What a buyer's booking came to. */
export interface Booked {
  readonly booking: BookingState;
  /** Whether this call made it; else it stood already. */
  readonly placed: boolean;
}

/** What the buyer's page says that they have paid. Only compared. */
export interface ToBook {
  readonly listingId: number;
  readonly quantity: number;
  readonly totalAmount: Pence;
}

/** Where an attempt was found: in this process's memory, which may be old, or in its stream. */
type Source = 'memory' | 'stream';

const NOTHING_OWED: Paid = { intentId: null, amount: 0, currency: 'gbp' };

const REFUNDED = 'Your payment is refunded in full.';
const UNFILLED: Readonly<Record<Unfilled, { code: 'SOLD_OUT' | 'SALES_CLOSED'; message: string }>> = {
  sold_out: { code: 'SOLD_OUT', message: `Paid, but no tickets were left. ${REFUNDED}` },
  sales_closed: { code: 'SALES_CLOSED', message: `Sales for this event have closed. ${REFUNDED}` },
};

/** The booking that an attempt came to. @throws Refusal with what came instead */
const bookedOrThrow = ({ view }: Advanced, { position }: ActingLane): Booked => {
  if (view.stuck) throw new Refusal(view.stuck);
  const { checkout: attempt, booking, placed = false } = view;
  if (attempt?.outcome && attempt.outcome !== 'completed') {
    const { code, message } = UNFILLED[attempt.outcome.unfilled];
    throw new Refusal(code, { bookingId: attempt.bookingId, refunded: true }, { message, position });
  }
  if (booking?.facts) return { booking, placed };
  throw new Refusal(attempt?.closing ? TOLD[attempt.closing] : 'PAYMENT_INCOMPLETE');
};

/**
 * Books what was paid. An attempt out of this process's memory may be old: undefined then, so that its stream is asked. A payment
 * that stood already says so, too: another attempt may have followed, of which the memory knows nothing.
 */
const complete = async (
  desk: Desk,
  attempt: Attempt,
  paid: Paid,
  acting: ActingLane,
  from: Source,
): Promise<Booked | undefined> => {
  const remembered = from === 'memory';
  const settled = await desk.settle(attempt, paid, acting, { until: 'placed', onlyNews: remembered });
  if (!('rejected' in settled)) return bookedOrThrow(settled, acting);
  if (remembered) return undefined;
  throw refusalOf(settled);
};

/** What an attempt comes to. Undefined: it was remembered, and is old. */
const bookAttempt = async (
  desk: Desk,
  attempt: Attempt,
  wanted: ToBook,
  acting: ActingLane,
  from: Source,
): Promise<Booked | undefined> => {
  const { quote, userId } = attempt;
  const same = quote.quantity === wanted.quantity && quote.total === wanted.totalAmount;
  const demandSame = (): void => {
    if (!same) throw new Refusal('PRICE_CHANGED', { amount: toDecimal(quote.total) });
  };
  const remembered = from === 'memory';
  if (remembered && (attempt.payment || attempt.closing)) return undefined;
  if (attempt.payment) {
    const known = { checkout: attempt };
    return bookedOrThrow(await desk.advance(attempt, acting, { known, until: 'placed' }), acting);
  }
  if (quote.total === 0) {
    if (!same && remembered) return undefined;
    demandSame();
    return complete(desk, attempt, NOTHING_OWED, acting, from);
  }
  const intent = attempt.intent && (await desk.deps.gateway.retrieveIntent(attempt.intent.intentId));
  if (intent?.status === 'succeeded') {
    const { purchase } = intent;
    if (purchase?.userId !== userId || purchase.attempt !== attempt.attempt)
      throw new Refusal('PAYMENT_MISMATCH');
    // Money that is there is booked, whatever the page thinks that it paid.
    return complete(desk, attempt, paidBy(intent), acting, from);
  }
  if (remembered) return undefined;
  if (attempt.closing) throw new Refusal(TOLD[attempt.closing]);
  demandSame();
  throw new Refusal(intent?.status === 'canceled' ? 'CHECKOUT_EXPIRED' : 'PAYMENT_INCOMPLETE');
};

/**
 * Completes the caller's checkout once the provider says that it is paid; at once where nothing was owed. A repeat, or a call
 * after the webhook's, gives the same booking.
 * @throws Refusal CHECKOUT_NOT_FOUND, PAYMENT_INCOMPLETE, PAYMENT_MISMATCH, PRICE_CHANGED, CHECKOUT_EXPIRED, SOLD_OUT
 *   and SALES_CLOSED (paid too late: refunded)
 */
export const bookCheckout = async (
  desk: Desk,
  userId: string,
  wanted: ToBook,
  acting: ActingLane,
): Promise<Booked> => {
  const id = checkoutId(userId, wanted.listingId);
  const remembered = desk.attempts.get(id);
  const quick = remembered && (await bookAttempt(desk, remembered, wanted, acting, 'memory'));
  if (quick) return quick;
  const { state } = await acting.state(checkout, id);
  const attempt = state.current === null ? undefined : state.attempts.get(state.current);
  const booked = attempt && (await bookAttempt(desk, attempt, wanted, acting, 'stream'));
  if (!booked) throw new Refusal('CHECKOUT_NOT_FOUND');
  return booked;
};
