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

export interface Booked {
  readonly booking: BookingState;
  readonly placed: boolean;
}

export interface ToBook {
  readonly listingId: number;
  readonly quantity: number;
  readonly totalAmount: Pence;
}

type Source = 'memory' | 'stream';

const REFUNDED = 'Your payment is refunded in full.';
interface NoTickets {
  readonly code: 'SOLD_OUT' | 'SALES_CLOSED';
  readonly message: string;
}
const UNFILLED: Readonly<Record<Unfilled, NoTickets>> = {
  sold_out: { code: 'SOLD_OUT', message: `Paid, but no tickets were left. ${REFUNDED}` },
  sales_closed: { code: 'SALES_CLOSED', message: `Sales for this event have closed. ${REFUNDED}` },
};
const NOT_BOOKED: NoTickets = { code: 'SALES_CLOSED', message: `Paid, but not booked. ${REFUNDED}` };

const bookedOrThrow = async ({ view }: Advanced, acting: ActingLane): Promise<Booked> => {
  if (view.stuck) throw new Refusal(view.stuck);
  const { checkout: attempt, placed = false } = view;
  const booked = attempt?.outcome ? (await acting.state(booking, attempt.bookingId)).state : view.booking;
  if (attempt?.outcome && attempt.outcome !== 'completed') {
    // The attempt stays unfilled even if its booking was filled later.
    if (booked?.facts && !unfilledNow(booked)) return { booking: booked, placed: false };
    const { code, message } = saidOf(UNFILLED, attempt.outcome.unfilled) ?? NOT_BOOKED;
    throw new Refusal(code, { bookingId: attempt.bookingId, refunded: true }, { message });
  }
  if (booked?.facts) return { booking: booked, placed };
  if (attempt?.closing) throw await closedRefusal(attempt.closing, attempt, acting);
  throw new Refusal('PAYMENT_INCOMPLETE');
};

/**
 * Undefined if a remembered attempt is outdated, including when its payment was recorded before (another
 * attempt may have followed): read the stream then.
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
    // Always book paid money, even if the page shows another price.
    return complete(desk, attempt, intent, acting, from);
  }
  if (remembered) return undefined;
  if (attempt.closing) throw await closedRefusal(attempt.closing, attempt, acting);
  demandSame();
  throw new Refusal(intent?.status === 'canceled' ? 'CHECKOUT_EXPIRED' : 'PAYMENT_INCOMPLETE');
};

/**
 * Idempotent, also after the webhook.
 * @throws Refusal CHECKOUT_NOT_FOUND, PAYMENT_INCOMPLETE, PAYMENT_MISMATCH, PRICE_CHANGED, CHECKOUT_EXPIRED,
 * SOLD_OUT and SALES_CLOSED (paid too late: refunded)
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
