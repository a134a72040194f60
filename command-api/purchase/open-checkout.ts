/** Opening a checkout, going on with one, or pricing it anew. */

import { latest } from '#command-api/catalogue/latest.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason } from '#domain/checkout/events.ts';
import { type Attempt, type CheckoutState, liveAttempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets } from '#domain/inventory/state.ts';
import { HOLD_FOR } from '#domain/policy.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import { fromRejection, HttpError } from '#infra/http/errors.ts';
import type { Intent } from '#infra/payments/gateway.ts';
import { type AttemptKey, advance } from './advance.ts';
import { type Desk, keyOf, TOLD } from './desk.ts';
import { type Priced, priceOf, type Wanted } from './quote.ts';

/** What an attempt will be called; allocated before it is opened, so that a repeat opens the same. */
export interface AttemptIds {
  readonly attempt: string;
  readonly bookingId: number;
  readonly reference: string;
}

/** A checkout whose tickets are held, and what its payment needs. */
export interface Opened {
  readonly attempt: Attempt;
  /** Null where nothing is left to pay. */
  readonly clientSecret: string | null;
  readonly position: Position;
}

const MOST_TRIES = 6;
/** For how long a listing that was found sold out is asked before anything is opened, in milliseconds. */
const SOLD_OUT_FOR = 5_000;

/** Refuses what there are not tickets enough for; those that the caller holds already count. @throws HttpError SOLD_OUT */
const demandTickets = async (
  { deps: { lane } }: Desk,
  userId: string,
  { listingId, quantity }: Wanted,
): Promise<void> => {
  const [{ state: tickets }, { state: own }] = await Promise.all([
    lane.state(inventory, listingId),
    lane.state(checkout, checkoutId(userId, listingId)),
  ]);
  const live = liveAttempt(own);
  if (live?.payment) return;
  const held = live ? (tickets.holds.get(live.attempt)?.quantity ?? 0) : 0;
  const available = Math.max(0, freeTickets(tickets)) + held;
  if (available < quantity) throw new HttpError('SOLD_OUT', { available });
};

/** Whether tickets ran out a moment ago: then it is asked first, since opening and closing an attempt would cost four events. */
const ranOut = ({ soldOut, deps }: Desk, { listingId }: Wanted): boolean => {
  const at = soldOut.get(String(listingId));
  return at !== undefined && deps.clock().getTime() - at <= SOLD_OUT_FOR;
};

/** The server's price. @throws HttpError */
const priced = async (
  desk: Desk,
  userId: string,
  wanted: Wanted,
  own: AttemptIds,
  at: string,
): Promise<Priced> => {
  const { readings, lane } = desk.deps;
  const id = checkoutId(userId, wanted.listingId);
  let answer = await priceOf(readings, wanted, {
    at,
    attempt: desk.attempts.get(id)?.attempt ?? own.attempt,
  });
  if ('rejected' in answer && answer.rejected === 'PROMO_USED_UP') {
    // Perhaps the last use is the caller's own, reserved by an attempt that another process opened.
    const { state } = await lane.state(checkout, id);
    const live = liveAttempt(state)?.attempt;
    if (live) answer = await priceOf(readings, wanted, { at, attempt: live });
  }
  if ('rejected' in answer) throw fromRejection(answer);
  return answer;
};

/** An attempt that was paid stands in the way: it is brought to its end. Returns its name. */
const settle = async (desk: Desk, key: AttemptKey, context: Context): Promise<string> => {
  const { deps } = desk;
  const advanced = await advance(deps, key, following(context, deps.clock));
  desk.remember(advanced);
  const { view, placedAt, position } = advanced;
  if (view.stuck) throw new HttpError(view.stuck);
  // It was on its way to a booking when this call came: the buyer is told, and does not pay twice.
  if (placedAt !== undefined)
    throw new HttpError('ALREADY_PAID', { bookingId: view.checkout?.bookingId }, { position });
  return key.attempt;
};

/** Ends an attempt that is in the way of a new one. */
const close = async (desk: Desk, key: AttemptKey, why: ClosingReason, context: Context): Promise<void> => {
  const { deps } = desk;
  const advanced = await advance(deps, key, following(context, deps.clock), { known: { close: why } });
  desk.remember(advanced);
  const { rest, view, position } = advanced;
  if (view.stuck) throw new HttpError(view.stuck);
  if (view.checkout?.payment)
    throw new HttpError('ALREADY_PAID', { bookingId: view.checkout.bookingId }, { position });
  if (rest === 'waiting-for-provider') throw new HttpError('CHECKOUT_OPEN');
};

/** The intent of an attempt that goes on; undefined if it can't be paid any more. @throws HttpError ALREADY_PAID */
const resume = async (desk: Desk, attempt: Attempt, context: Context): Promise<Intent | undefined> => {
  const { deps } = desk;
  const { lane, gateway, clock } = deps;
  const intent = await gateway.retrieveIntent(attempt.intent?.intentId ?? '');
  if (intent?.status !== 'succeeded') return intent?.status === 'canceled' ? undefined : intent;
  const { id: intentId, amount, currency } = intent;
  const command = { type: 'RecordPayment', attempt: attempt.attempt, intentId, amount, currency } as const;
  const id = checkoutId(attempt.userId, attempt.listingId);
  const outcome = await lane.execute(checkout, id, command, following(context, clock));
  if (!outcome.ok) throw fromRejection(outcome.rejection);
  const advanced = await advance(deps, keyOf(attempt), following(context, clock));
  desk.remember(advanced);
  const { position } = advanced;
  throw new HttpError('ALREADY_PAID', { bookingId: attempt.bookingId }, { position });
};

const ours = (state: CheckoutState, own: AttemptIds): Attempt | undefined =>
  state.attempts.get(own.attempt) ?? liveAttempt(state);

/** An attempt that stands, taken to where it can be paid; undefined: it came to its end meanwhile, so another has to be opened. */
const proceed = async (
  desk: Desk,
  attempt: Attempt,
  position: Position,
  context: Context,
): Promise<Opened | undefined> => {
  const { deps } = desk;
  if (attempt.intent && !attempt.closing) {
    const intent = await resume(desk, attempt, context);
    desk.attempts.set(checkoutId(attempt.userId, attempt.listingId), attempt);
    if (intent) return { attempt, clientSecret: intent.clientSecret, position };
    await close(desk, keyOf(attempt), 'abandoned', context);
    return undefined;
  }
  const known = { checkout: attempt };
  const advanced = await advance(deps, keyOf(attempt), following(context, deps.clock), { known });
  desk.remember(advanced);
  const { rest, view, clientSecret } = advanced;
  if (view.stuck) throw new HttpError(view.stuck);
  const { checkout: now } = view;
  if (now?.closing === 'sold_out') {
    const { state } = await deps.lane.state(inventory, now.listingId);
    throw new HttpError('SOLD_OUT', { available: Math.max(0, freeTickets(state)) });
  }
  if (now?.closing) throw new HttpError(TOLD[now.closing]);
  if (rest !== 'waiting-for-payment' || !now) return undefined;
  // Somebody else attached it meanwhile: the same intent, of which only its maker got the secret.
  const secret =
    now.intent && !clientSecret ? (await resume(desk, now, context))?.clientSecret : clientSecret;
  return { attempt: now, clientSecret: secret ?? null, position: latest(advanced.position, position) };
};

/**
 * Opens the caller's checkout at the server's price, with its tickets held and its intent made. One that is open at the same
 * price goes on; one at another price is closed first, its intent with it.
 * @throws HttpError PRICE_CHANGED, SOLD_OUT, SALES_CLOSED, ALREADY_PAID, PROMO_*, LISTING_*, BOOKING_DISABLED, CHECKOUT_OPEN
 */
export const openCheckout = async (
  desk: Desk,
  userId: string,
  wanted: Wanted,
  own: AttemptIds,
  context: Context,
): Promise<Opened> => {
  const { lane, clock, holdFor = HOLD_FOR } = desk.deps;
  const { listingId } = wanted;
  const id = checkoutId(userId, listingId);
  const { at } = context;
  const { quote, sale } = await priced(desk, userId, wanted, own, at);
  if (ranOut(desk, wanted)) await demandTickets(desk, userId, wanted);
  const until = new Date(Date.parse(at) + holdFor).toISOString();
  const { startsAt } = sale.schedule;
  const opening = { type: 'OpenCheckout', ...own, userId, listingId, quote, startsAt, until, at } as const;
  let known = desk.settled.get(id);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const command = known === undefined ? opening : { ...opening, settled: known };
    const outcome = await lane.execute(
      checkout,
      id,
      command,
      tries === 0 ? context : following(context, clock),
    );
    if (!outcome.ok) {
      const { rejected, details } = outcome.rejection;
      const key = { userId, listingId, attempt: String(details?.attempt) };
      if (rejected === 'ALREADY_PAID') known = await settle(desk, key, context);
      else if (rejected === 'CHECKOUT_OPEN') {
        const why = details?.why as ClosingReason;
        // Whoever asks for more than there are keeps what they hold.
        if (why === 'repriced') await demandTickets(desk, userId, wanted);
        await close(desk, key, why, context);
      } else throw fromRejection(outcome.rejection);
      continue;
    }
    const attempt = ours(outcome.state, own);
    if (!attempt) continue;
    if (attempt.payment) {
      known = await settle(desk, keyOf(attempt), context);
      if (attempt.attempt !== own.attempt) continue;
      throw new HttpError('ALREADY_PAID', { bookingId: attempt.bookingId });
    }
    const opened = await proceed(desk, attempt, outcome.position, context);
    if (opened) return opened;
  }
  throw new HttpError('CHECKOUT_OPEN');
};
