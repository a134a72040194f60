import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { booking } from '#domain/booking/booking.ts';
import { type BookingState, unfilledNow } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { type Pence, toDecimal } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { PurchaseView } from '#domain/processes/purchase.ts';
import { carryOutPurchase, closedRefusal, type PurchaseDeps, seen } from './purchase.ts';

export interface Booked {
  readonly booking: BookingState;
  readonly placed: boolean;
}

export interface ToBook {
  readonly listingId: number;
  readonly quantity: number;
  readonly totalAmount: Pence;
}

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

const bookedOrThrow = async (view: PurchaseView, acting: ActingHandler): Promise<Booked> => {
  const { checkout: attempt, placed = false } = view;
  const booked = attempt?.outcome ? (await acting.state(booking, attempt.bookingId)).state : view.booking;
  if (attempt?.outcome && attempt.outcome !== 'completed') {
    // The attempt stays unfilled even if its booking was filled later.
    if (booked?.facts && !unfilledNow(booked)) return { booking: booked, placed: false };
    const { code, message } = lookup(UNFILLED, attempt.outcome.unfilled) ?? NOT_BOOKED;
    throw new Refusal(code, { bookingId: attempt.bookingId, refunded: true }, { message });
  }
  if (booked?.facts) return { booking: booked, placed };
  if (attempt?.closing) throw await closedRefusal(attempt, acting);
  throw new Refusal('PAYMENT_INCOMPLETE');
};

const advance = async (
  deps: PurchaseDeps,
  attempt: Attempt,
  known: Pick<PurchaseView, 'paid' | 'claimed'>,
  acting: ActingHandler,
): Promise<PurchaseView> => {
  const from = { ...known, checkout: attempt, until: 'placed' } as const;
  const { view } = await carryOutPurchase(deps, attempt, acting, from);
  deps.hints.learn(view);
  if (view.stuck) throw new Refusal(view.stuck);
  return view;
};

/**
 * Undefined if a remembered attempt is outdated, including when its payment was recorded before (another
 * attempt may have followed): read the stream then.
 */
const bookAttempt = async (
  deps: PurchaseDeps,
  attempt: Attempt,
  wanted: ToBook,
  acting: ActingHandler,
  from: 'memory' | 'stream',
): Promise<Booked | undefined> => {
  const { quote, userId, payment, closing } = attempt;
  const remembered = from === 'memory';
  const free = quote.total === 0;
  const demandSame = (): void => {
    if (quote.quantity !== wanted.quantity || quote.total !== wanted.totalAmount)
      throw new Refusal('PRICE_CHANGED', { amount: toDecimal(quote.total) });
  };
  if (remembered && (payment || closing || free)) return undefined;
  if (payment || free) {
    if (!payment) demandSame();
    return bookedOrThrow(await advance(deps, attempt, { claimed: true }, acting), acting);
  }
  const intent = attempt.intent && (await deps.gateway.retrieveIntent(attempt.intent.intentId));
  if (intent?.status === 'succeeded') {
    const { purchase } = intent;
    if (purchase?.userId !== userId || purchase.attempt !== attempt.attempt)
      throw new Refusal('PAYMENT_MISMATCH');
    // Always book paid money, even if the page shows another price.
    const view = await advance(deps, attempt, { paid: seen(intent) }, acting);
    return remembered && view.recorded !== 'now' ? undefined : bookedOrThrow(view, acting);
  }
  if (remembered) return undefined;
  if (closing) throw await closedRefusal(attempt, acting);
  demandSame();
  throw new Refusal(intent?.status === 'canceled' ? 'CHECKOUT_EXPIRED' : 'PAYMENT_INCOMPLETE');
};

/**
 * Idempotent, also after the webhook.
 * @throws Refusal CHECKOUT_NOT_FOUND, PAYMENT_INCOMPLETE, PAYMENT_MISMATCH, PRICE_CHANGED, CHECKOUT_EXPIRED,
 * SOLD_OUT and SALES_CLOSED (paid too late: refunded)
 */
export const bookCheckout = async (
  deps: PurchaseDeps,
  userId: string,
  wanted: ToBook,
  acting: ActingHandler,
): Promise<Booked> => {
  const id = checkoutId(userId, wanted.listingId);
  const remembered = deps.hints.attempts.get(id);
  const quick = remembered && (await bookAttempt(deps, remembered, wanted, acting, 'memory'));
  if (quick) return quick;
  const { state } = await acting.state(checkout, id);
  const attempt = state.current === null ? undefined : state.attempts.get(state.current);
  const booked = attempt && (await bookAttempt(deps, attempt, wanted, acting, 'stream'));
  if (!booked) throw new Refusal('CHECKOUT_NOT_FOUND');
  return booked;
};
