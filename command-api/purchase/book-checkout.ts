/** Booking what was paid, for the buyer's own call. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { BookingState } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { type Pence, toDecimal } from '#domain/money.ts';
import { Refusal, refusalOf } from '#domain/refusal.ts';
import type { Intent } from '#infra/payments/gateway.ts';
import { type Advanced, advance } from './advance.ts';
import { type Desk, keyOf, TOLD } from './desk.ts';

/** What a buyer's booking came to. */
export interface Booked {
  readonly booking: BookingState;
  /** When this call made it; undefined: it stood already. */
  readonly placedAt: string | undefined;
}

/** What the buyer's page says that they have paid. Only compared. */
export interface ToBook {
  readonly listingId: number;
  readonly quantity: number;
  readonly totalAmount: Pence;
}

/** Where an attempt was found: in this process's memory, which may be old, or in its stream. */
type Source = 'hint' | 'stream';

const REFUNDED = 'Your payment is refunded in full.';
const UNFILLED: Readonly<Record<Unfilled, { code: 'SOLD_OUT' | 'SALES_CLOSED'; message: string }>> = {
  sold_out: { code: 'SOLD_OUT', message: `Paid, but no tickets were left. ${REFUNDED}` },
  sales_closed: { code: 'SALES_CLOSED', message: `Sales for this event have closed. ${REFUNDED}` },
};

/** The booking that an attempt came to. @throws Refusal with what came instead */
const bookedOrThrow = ({ booking, view, placedAt }: Advanced, { position }: ActingLane): Booked => {
  if (view.stuck) throw new Refusal(view.stuck);
  const attempt = view.checkout;
  if (attempt?.outcome && attempt.outcome !== 'completed') {
    const { code, message } = UNFILLED[attempt.outcome.unfilled];
    throw new Refusal(code, { bookingId: attempt.bookingId, refunded: true }, { message, position });
  }
  if (booking?.facts) return { booking, placedAt };
  throw new Refusal(attempt?.closing ? TOLD[attempt.closing] : 'PAYMENT_INCOMPLETE');
};

/** The money is there, or nothing is owed (`intent` is null): on to the booking. Undefined: the hint was old. */
const complete = async (
  desk: Desk,
  attempt: Attempt,
  intent: Intent | null,
  acting: ActingLane,
  from: Source,
): Promise<Booked | undefined> => {
  const { deps } = desk;
  const id = checkoutId(attempt.userId, attempt.listingId);
  const paid = {
    intentId: intent?.id ?? null,
    amount: intent?.amount ?? 0,
    currency: intent?.currency ?? 'gbp',
  };
  const command = { type: 'RecordPayment', attempt: attempt.attempt, ...paid } as const;
  const outcome = await acting.ask(checkout, id, command);
  if (!outcome.ok) {
    if (from === 'hint') return undefined;
    throw refusalOf(outcome.rejection);
  }
  const news = outcome.events.length > 0;
  // Paid before: another attempt may have followed, of which the hint knows nothing.
  if (!news && from === 'hint') return undefined;
  const known = {
    checkout: outcome.state.attempts.get(attempt.attempt),
    booking: news ? ('none' as const) : undefined,
  };
  const advanced = await advance(deps, keyOf(attempt), acting, {
    known,
    until: 'placed',
  });
  desk.remember(advanced);
  return bookedOrThrow(advanced, acting);
};

/** What an attempt comes to. Undefined: the hint was old. */
const bookAttempt = async (
  desk: Desk,
  attempt: Attempt,
  wanted: ToBook,
  acting: ActingLane,
  from: Source,
): Promise<Booked | undefined> => {
  const { deps } = desk;
  const { quote, userId } = attempt;
  const same = quote.quantity === wanted.quantity && quote.total === wanted.totalAmount;
  const demandSame = (): void => {
    if (same) return;
    throw new Refusal('PRICE_CHANGED', { amount: toDecimal(quote.total) });
  };
  if (from === 'hint' && (attempt.payment || attempt.closing)) return undefined;
  if (attempt.payment) {
    const known = { checkout: attempt };
    const advanced = await advance(deps, keyOf(attempt), acting, { known, until: 'placed' });
    desk.remember(advanced);
    return bookedOrThrow(advanced, acting);
  }
  if (quote.total === 0) {
    if (!same && from === 'hint') return undefined;
    demandSame();
    return complete(desk, attempt, null, acting, from);
  }
  const intent = attempt.intent ? await deps.gateway.retrieveIntent(attempt.intent.intentId) : undefined;
  if (intent?.status === 'succeeded') {
    const { purchase } = intent;
    if (purchase?.userId !== userId || purchase.attempt !== attempt.attempt)
      throw new Refusal('PAYMENT_MISMATCH');
    // Money that is there is booked, whatever the page thinks that it paid.
    return complete(desk, attempt, intent, acting, from);
  }
  if (from === 'hint') return undefined;
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
  const hint = desk.attempts.get(id);
  const quick = hint && (await bookAttempt(desk, hint, wanted, acting, 'hint'));
  if (quick) return quick;
  const { state } = await acting.state(checkout, id);
  const attempt = state.current === null ? undefined : state.attempts.get(state.current);
  const booked = attempt && (await bookAttempt(desk, attempt, wanted, acting, 'stream'));
  if (!booked) throw new Refusal('CHECKOUT_NOT_FOUND');
  return booked;
};
