import type { ActingLane } from '#command-api/lane/lane.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason } from '#domain/checkout/events.ts';
import { type Attempt, boughtUnknown, type CheckoutState, liveAttempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets } from '#domain/inventory/state.ts';
import type { Rejection } from '#domain/kernel/decider.ts';
import { HOLD_FOR } from '#domain/kernel/policy.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { AttemptKey } from '#domain/processes/purchase.ts';
import { promoCodeOf } from '#domain/promotion/check.ts';
import type { Ids } from '#infra/ids/ids.ts';
import type { Intent } from '#infra/payments/gateway.ts';
import { seen } from './advance.ts';
import { countHold } from './count-hold.ts';
import { demandAge } from './demand-age.ts';
import { closedRefusal, type Desk } from './desk.ts';
import { type Priced, priceOf, type Wanted } from './quote.ts';

/** Allocated before opening, so a repeat opens the same attempt. */
export interface AttemptIds {
  readonly attempt: string;
  readonly bookingId: number;
  readonly reference: string;
}

export const allocateAttempt = async (ids: Ids): Promise<AttemptIds> => ({
  attempt: ids.uuid(),
  bookingId: await ids.next('booking'),
  reference: ids.reference(),
});

export interface Opened {
  readonly attempt: Attempt;
  readonly clientSecret: string | null;
}

const MOST_TRIES = 6;
/** Milliseconds after a sell-out in which the inventory is read before an attempt is opened. */
const SOLD_OUT_FOR = 5_000;

const demandTickets = async (
  userId: string,
  { listingId, quantity }: Wanted,
  acting: ActingLane,
): Promise<void> => {
  const [{ state: tickets }, { state: own }] = await Promise.all([
    acting.state(inventory, listingId),
    acting.state(checkout, checkoutId(userId, listingId)),
  ]);
  const live = liveAttempt(own);
  if (live?.payment) return;
  const held = live ? (tickets.holds.get(live.attempt)?.quantity ?? 0) : 0;
  const available = Math.max(0, freeTickets(tickets)) + held;
  if (available < quantity) throw new Refusal('SOLD_OUT', { available });
};

/** Then read the inventory first: opening and closing an attempt costs four events. */
const ranOut = ({ soldOut, deps }: Desk, { listingId }: Wanted): boolean => {
  const at = soldOut.get(String(listingId));
  return at !== undefined && deps.clock().getTime() - at <= SOLD_OUT_FOR;
};

const alreadyPaid = ({ bookingId }: Partial<Attempt>): Refusal => new Refusal('ALREADY_PAID', { bookingId });

/**
 * For buyers unaware of their booking (lost answer, another tab or device); it is placed first.
 * @throws Refusal JUST_BOUGHT
 */
const demandKnown = async (
  desk: Desk,
  userId: string,
  { listingId, lastBookingId }: Wanted,
  acting: ActingLane,
): Promise<void> => {
  if (lastBookingId === undefined) return;
  const { state } = await acting.state(checkout, checkoutId(userId, listingId));
  const bought = boughtUnknown(state, lastBookingId, acting.context.at);
  if (!bought) return;
  const { attempt, bookingId } = bought;
  await desk.advance({ userId, listingId, attempt }, acting, { until: 'placed' });
  throw new Refusal('JUST_BOUGHT', { bookingId });
};

/** @throws Refusal ALREADY_PAID if this made its booking */
const finish = async (desk: Desk, key: AttemptKey, acting: ActingLane): Promise<void> => {
  const { view } = await desk.advance(key, acting);
  // Refuse, so that a buyer unaware of this booking does not pay twice.
  if (view.placed) throw alreadyPaid(view.checkout ?? {});
};

const notOpened = (rejection: Rejection, at: string): Refusal => {
  if (rejection.rejected !== 'HELD_TOO_OFTEN') return refusalOf(rejection);
  const { until, keeps } = rejection.details as { readonly until: string; readonly keeps?: true };
  const retryAfter = Math.ceil((Date.parse(until) - Date.parse(at)) / 1000);
  const minutes = Math.ceil(retryAfter / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const then = keeps
    ? 'What you chose before is still held: go back to it to buy it.'
    : `You can hold some again in ${wait}.`;
  const message = `You have held tickets for this event several times without buying them. ${then}`;
  return new Refusal('HELD_TOO_OFTEN', { until }, { message, retryAfter });
};

const heldWithCode = async (
  { deps: { readings } }: Desk,
  userId: string,
  wanted: Wanted,
  acting: ActingLane,
): Promise<Priced | undefined> => {
  const { state } = await acting.state(checkout, checkoutId(userId, wanted.listingId));
  const quote = liveAttempt(state)?.quote;
  if (!quote?.promotion || quote.promotion.code !== promoCodeOf(wanted.promoCode ?? '')) return undefined;
  if (quote.quantity !== wanted.quantity || quote.total !== wanted.amount) return undefined;
  const full = { ...wanted, promoCode: null, amount: quote.total + quote.discount };
  const answer = await priceOf(readings, full, { at: acting.context.at });
  return 'rejected' in answer ? undefined : { ...answer, quote };
};

const priced = async (
  desk: Desk,
  userId: string,
  wanted: Wanted,
  own: AttemptIds,
  acting: ActingLane,
): Promise<Priced> => {
  const { deps, attempts } = desk;
  const { readings } = deps;
  const { at } = acting.context;
  const id = checkoutId(userId, wanted.listingId);
  let answer = await priceOf(readings, wanted, { at, attempt: attempts.get(id)?.attempt ?? own.attempt });
  if ('rejected' in answer && answer.rejected === 'PROMO_USED_UP') {
    // The code's last use may be the caller's own: an attempt opened by another process, or a booking they
    // don't know of.
    const { state } = await acting.state(checkout, id);
    const live = liveAttempt(state);
    if (live?.payment) await finish(desk, live, acting);
    if (live) answer = await priceOf(readings, wanted, { at, attempt: live.attempt });
  }
  if ('rejected' in answer && answer.rejected === 'PROMO_INVALID')
    answer = (await heldWithCode(desk, userId, wanted, acting)) ?? answer;
  if ('rejected' in answer) throw refusalOf(answer);
  return answer;
};

const close = async (desk: Desk, key: AttemptKey, why: ClosingReason, acting: ActingLane): Promise<void> => {
  const { rest, view } = await desk.advance(key, acting, { known: { close: why } });
  if (view.checkout?.payment) throw alreadyPaid(view.checkout);
  if (rest === 'waiting-for-provider') throw new Refusal('CHECKOUT_OPEN');
};

/**
 * Completes a paid attempt, or closes one with another quote.
 * @returns the completed attempt
 * @throws Refusal why the checkout can't be opened
 */
const makeWay = async (
  desk: Desk,
  userId: string,
  wanted: Wanted,
  rejection: Rejection,
  acting: ActingLane,
): Promise<string | undefined> => {
  const { rejected, details } = rejection;
  const key = { userId, listingId: wanted.listingId, attempt: String(details?.attempt) };
  if (rejected === 'ALREADY_PAID') {
    await finish(desk, key, acting);
    return key.attempt;
  }
  if (rejected === 'CHECKOUT_OPEN') {
    const why = details?.why as ClosingReason;
    // With too few tickets left, the caller keeps the current hold.
    if (why === 'repriced') await demandTickets(userId, wanted, acting);
    await close(desk, key, why, acting);
    return undefined;
  }
  if (rejected === 'JUST_BOUGHT') await demandKnown(desk, userId, wanted, acting);
  throw notOpened(rejection, acting.context.at);
};

const resume = async (desk: Desk, attempt: Attempt, acting: ActingLane): Promise<Intent | undefined> => {
  const intent = await desk.deps.gateway.retrieveIntent(attempt.intent?.intentId ?? '');
  if (intent?.status !== 'succeeded') return intent?.status === 'canceled' ? undefined : intent;
  await desk.advance(attempt, acting, { known: { checkout: attempt, paid: seen(intent) } });
  throw alreadyPaid(attempt);
};

const ours = (state: CheckoutState, own: AttemptIds): Attempt | undefined =>
  state.attempts.get(own.attempt) ?? liveAttempt(state);

const proceed = async (desk: Desk, attempt: Attempt, acting: ActingLane): Promise<Opened | undefined> => {
  if (attempt.intent && !attempt.closing) {
    const intent = await resume(desk, attempt, acting);
    desk.attempts.set(checkoutId(attempt.userId, attempt.listingId), attempt);
    if (intent) return { attempt, clientSecret: intent.clientSecret };
    await close(desk, attempt, 'abandoned', acting);
    return undefined;
  }
  const { rest, view, clientSecret } = await desk.advance(attempt, acting, { known: { checkout: attempt } });
  const { checkout: now } = view;
  if (now?.closing === 'sold_out') {
    const { state } = await acting.state(inventory, now.listingId);
    throw new Refusal('SOLD_OUT', { available: Math.max(0, freeTickets(state)) });
  }
  if (now?.closing) throw await closedRefusal(now.closing, now, acting);
  if (rest !== 'waiting-for-payment' || !now) return undefined;
  // Another call made the intent; fetch its secret.
  const secret = now.intent && !clientSecret ? (await resume(desk, now, acting))?.clientSecret : clientSecret;
  return { attempt: now, clientSecret: secret ?? null };
};

/**
 * An open attempt with the same quote continues; one with another quote is closed and its intent cancelled
 * first.
 * @throws Refusal PRICE_CHANGED, SOLD_OUT, SALES_CLOSED, ALREADY_PAID, JUST_BOUGHT, PROMO_*, LISTING_*,
 * BOOKING_DISABLED, CHECKOUT_OPEN, TOO_YOUNG, TOO_MANY_HOLDS, HELD_TOO_OFTEN
 */
export const openCheckout = async (
  desk: Desk,
  userId: string,
  wanted: Wanted,
  own: AttemptIds,
  acting: ActingLane,
): Promise<Opened> => {
  const { holdFor = HOLD_FOR, holdLimits } = desk.deps;
  const { listingId, lastBookingId } = wanted;
  const id = checkoutId(userId, listingId);
  const { at } = acting.context;
  await demandKnown(desk, userId, wanted, acting);
  const { quote, sale } = await priced(desk, userId, wanted, own, acting);
  await demandAge(userId, sale, acting);
  if (ranOut(desk, wanted)) await demandTickets(userId, wanted, acting);
  const until = new Date(Date.parse(at) + holdFor).toISOString();
  const { startsAt } = sale.schedule;
  const facts = { ...own, userId, listingId, quote, startsAt, until };
  const unpaidHolds = holdLimits?.unpaid;
  const opening = { type: 'OpenCheckout', ...facts, at, lastBookingId, unpaidHolds } as const;
  const counting = holdLimits && countHold({ ...facts, at, most: holdLimits.live }, acting);
  // Awaited before tickets are held, unless the checkout is refused first.
  counting?.catch(() => undefined);
  let known = desk.settled.get(id);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const command = known === undefined ? opening : { ...opening, settled: known };
    const outcome = await acting.ask(checkout, id, command);
    if (!outcome.ok) {
      known = (await makeWay(desk, userId, wanted, outcome.rejection, acting)) ?? known;
      continue;
    }
    const attempt = ours(outcome.state, own);
    if (!attempt) continue;
    if (attempt.payment) {
      await finish(desk, attempt, acting);
      known = attempt.attempt;
      if (attempt.attempt !== own.attempt) continue;
      throw alreadyPaid(attempt);
    }
    try {
      await counting;
    } catch (refused) {
      const isNew = refused instanceof Refusal && attempt.attempt === own.attempt;
      if (isNew) await close(desk, attempt, 'too_many_holds', acting);
      throw refused;
    }
    const opened = await proceed(desk, attempt, acting);
    if (opened) return opened;
  }
  throw new Refusal('CHECKOUT_OPEN');
};
