/** Booking what was paid, for the buyer's own call. */
import type { BookingState } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Unfilled } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { type Pence, toDecimal } from '#domain/money.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import { fromRejection, HttpError } from '#infra/http/errors.ts';
import type { Intent } from '#infra/payments/gateway.ts';
import { type Advanced, advance } from './advance.ts';
import { type Desk, keyOf, TOLD } from './desk.ts';

/** What a buyer's booking came to. */
export interface Booked {
  readonly booking: BookingState;
  /** When this call made it; undefined: it stood already. */
  readonly placedAt: string | undefined;
  readonly position: Position;
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

/** The booking that an attempt came to. @throws HttpError with what came instead */
const bookedOrThrow = ({ booking, view, position, placedAt }: Advanced): Booked => {
  if (view.stuck) throw new HttpError(view.stuck);
  const attempt = view.checkout;
  if (attempt?.outcome && attempt.outcome !== 'completed') {
    const { code, message } = UNFILLED[attempt.outcome.unfilled];
    throw new HttpError(code, { bookingId: attempt.bookingId, refunded: true }, { message, position });
  }
  if (booking?.facts) return { booking, placedAt, position };
  throw new HttpError(attempt?.closing ? TOLD[attempt.closing] : 'PAYMENT_INCOMPLETE');
};

/** The money is there, or nothing is owed (`intent` is null): on to the booking. Undefined: the hint was old. */
const complete = async (
  desk: Desk,
  attempt: Attempt,
  intent: Intent | null,
  context: Context,
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
  const outcome = await deps.lane.execute(checkout, id, command, context);
  if (!outcome.ok) {
    if (from === 'hint') return undefined;
    throw fromRejection(outcome.rejection);
  }
  const news = outcome.events.length > 0;
  // Paid before: another attempt may have followed, of which the hint knows nothing.
  if (!news && from === 'hint') return undefined;
  const known = {
    checkout: outcome.state.attempts.get(attempt.attempt),
    booking: news ? ('none' as const) : undefined,
  };
  const advanced = await advance(deps, keyOf(attempt), following(context, deps.clock), {
    known,
    until: 'placed',
  });
  desk.remember(advanced);
  return bookedOrThrow(advanced);
};

/** What an attempt comes to. Undefined: the hint was old. */
const bookAttempt = async (
  desk: Desk,
  attempt: Attempt,
  wanted: ToBook,
  context: Context,
  from: Source,
): Promise<Booked | undefined> => {
  const { deps } = desk;
  const { quote, userId } = attempt;
  const same = quote.quantity === wanted.quantity && quote.total === wanted.totalAmount;
  const demandSame = (): void => {
    if (same) return;
    throw new HttpError('PRICE_CHANGED', { amount: toDecimal(quote.total) });
  };
  if (from === 'hint' && (attempt.payment || attempt.closing)) return undefined;
  if (attempt.payment) {
    const known = { checkout: attempt };
    const advanced = await advance(deps, keyOf(attempt), context, { known, until: 'placed' });
    desk.remember(advanced);
    return bookedOrThrow(advanced);
  }
  if (quote.total === 0) {
    if (!same && from === 'hint') return undefined;
    demandSame();
    return complete(desk, attempt, null, context, from);
  }
  const intent = attempt.intent ? await deps.gateway.retrieveIntent(attempt.intent.intentId) : undefined;
  if (intent?.status === 'succeeded') {
    const { purchase } = intent;
    if (purchase?.userId !== userId || purchase.attempt !== attempt.attempt)
      throw new HttpError('PAYMENT_MISMATCH');
    // Money that is there is booked, whatever the page thinks that it paid.
    return complete(desk, attempt, intent, context, from);
  }
  if (from === 'hint') return undefined;
  if (attempt.closing) throw new HttpError(TOLD[attempt.closing]);
  demandSame();
  throw new HttpError(intent?.status === 'canceled' ? 'CHECKOUT_EXPIRED' : 'PAYMENT_INCOMPLETE');
};

/**
 * Completes the caller's checkout once the provider says that it is paid; at once where nothing was owed. A repeat, or a call
 * after the webhook's, gives the same booking.
 * @throws HttpError CHECKOUT_NOT_FOUND, PAYMENT_INCOMPLETE, PAYMENT_MISMATCH, PRICE_CHANGED, CHECKOUT_EXPIRED, SOLD_OUT
 *   and SALES_CLOSED (paid too late: refunded)
 */
export const bookCheckout = async (
  desk: Desk,
  userId: string,
  wanted: ToBook,
  context: Context,
): Promise<Booked> => {
  const { lane, clock } = desk.deps;
  const id = checkoutId(userId, wanted.listingId);
  const hint = desk.attempts.get(id);
  const quick = hint && (await bookAttempt(desk, hint, wanted, context, 'hint'));
  if (quick) return quick;
  const { state } = await lane.state(checkout, id);
  const attempt = state.current === null ? undefined : state.attempts.get(state.current);
  const booked = attempt && (await bookAttempt(desk, attempt, wanted, following(context, clock), 'stream'));
  if (!booked) throw new HttpError('CHECKOUT_NOT_FOUND');
  return booked;
};
