/** Completes a purchase for the buyer's own request. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { booking } from '#domain/booking/booking.ts';
import { type BookingState, unfilledNow } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { type Pence, toDecimal } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { saidOf } from '#domain/kernel/said-of.ts';
import type { Intent } from '#infra/payments/gateway.ts';
import { type Advanced, seen } from './advance.ts';
import { closedRefusal, type Desk } from './desk.ts';

/** A booking, and who made it. */
export interface Booked {
  readonly booking: BookingState;
  /** Whether this call made it; otherwise it existed before. */
  readonly placed: boolean;
}

/** What the buyer's page says that they have bought. It is only compared with the attempt. */
export interface ToBook {
  readonly listingId: number;
  readonly quantity: number;
  readonly totalAmount: Pence;
}

/** Where an attempt was found: in the memory of this process, which may be outdated, or in its stream. */
type Source = 'memory' | 'stream';

const REFUNDED = 'Your payment is refunded in full.';
/** What the buyer of an attempt without tickets is told. */
interface NoTickets {
  readonly code: 'SOLD_OUT' | 'SALES_CLOSED';
  readonly message: string;
}
const UNFILLED: Readonly<Record<Unfilled, NoTickets>> = {
  sold_out: { code: 'SOLD_OUT', message: `Paid, but no tickets were left. ${REFUNDED}` },
  sales_closed: { code: 'SALES_CLOSED', message: `Sales for this event have closed. ${REFUNDED}` },
};
const NOT_BOOKED: NoTickets = { code: 'SALES_CLOSED', message: `Paid, but not booked. ${REFUNDED}` };

/** The booking of an attempt. @throws Refusal why there is none, or why it has no tickets */
const bookedOrThrow = async ({ view }: Advanced, acting: ActingLane): Promise<Booked> => {
  if (view.stuck) throw new Refusal(view.stuck);
  const { checkout: attempt, placed = false } = view;
  // The chain looks at no booking of an attempt that has come to its end.
  const booked = attempt?.outcome ? (await acting.state(booking, attempt.bookingId)).state : view.booking;
  if (attempt?.outcome && attempt.outcome !== 'completed') {
    // The attempt stays unfilled, though its booking may have been made good since.
    if (booked?.facts && !unfilledNow(booked)) return { booking: booked, placed: false };
    const { code, message } = saidOf(UNFILLED, attempt.outcome.unfilled) ?? NOT_BOOKED;
    throw new Refusal(code, { bookingId: attempt.bookingId, refunded: true }, { message });
  }
  if (booked?.facts) return { booking: booked, placed };
  if (attempt?.closing) throw await closedRefusal(attempt.closing, attempt, acting);
  throw new Refusal('PAYMENT_INCOMPLETE');
};

/**
 * Records the payment and books. Undefined if a remembered attempt is outdated, so that its stream has to be read. It is outdated if the
 * payment was recorded before, too, since another attempt may have followed.
 */
const complete = async (
  desk: Desk,
  attempt: Attempt,
  intent: Intent,
  acting: ActingLane,
  from: Source,
): Promise<Booked | undefined> => {
  const known = { checkout: attempt, paid: seen(intent) };
  const advanced = await desk.advance(attempt, acting, { known, until: 'placed' });
  const outdated = from === 'memory' && advanced.view.recorded !== 'now';
  return outdated ? undefined : bookedOrThrow(advanced, acting);
};

/** Books an attempt. Undefined if a remembered attempt is outdated. @throws Refusal if it can't be booked */
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
  const free = quote.total === 0;
  if (remembered && (attempt.payment || attempt.closing || free)) return undefined;
  if (attempt.payment || free) {
    if (!attempt.payment) demandSame();
    const known = { checkout: attempt, claimed: true } as const;
    return bookedOrThrow(await desk.advance(attempt, acting, { known, until: 'placed' }), acting);
  }
  const intent = attempt.intent && (await desk.deps.gateway.retrieveIntent(attempt.intent.intentId));
  if (intent?.status === 'succeeded') {
    const { purchase } = intent;
    if (purchase?.userId !== userId || purchase.attempt !== attempt.attempt)
      throw new Refusal('PAYMENT_MISMATCH');
    // Paid money is always booked, even if the page shows another price.
    return complete(desk, attempt, intent, acting, from);
  }
  if (remembered) return undefined;
  if (attempt.closing) throw await closedRefusal(attempt.closing, attempt, acting);
  demandSame();
  throw new Refusal(intent?.status === 'canceled' ? 'CHECKOUT_EXPIRED' : 'PAYMENT_INCOMPLETE');
};

/**
 * Completes the caller's checkout if the provider says that it is paid, or if there was nothing to pay. A repeat gives the same
 * booking, and so does a call after the webhook has completed it.
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
