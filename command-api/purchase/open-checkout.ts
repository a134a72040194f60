/** Opens a checkout (`domain/processes/opening.ts`). */
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import type { Rejection } from '#domain/kernel/decider.ts';
import { HOLD_FOR } from '#domain/kernel/policy.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import {
  type AttemptIds,
  type HoldLimits,
  type OpeningCall,
  type OpeningReply,
  opening,
  type Wanted,
} from '#domain/processes/opening.ts';
import type { Ids } from '#infra/ids/ids.ts';
import { demandAge } from './demand-age.ts';
import { askProvider, closedRefusal, type PurchaseDeps, seen } from './purchase.ts';
import { heldPrice, priceOf } from './quote.ts';
import type { Readings } from './readings.ts';

export interface CheckoutDeps extends PurchaseDeps {
  readonly readings: Readings;
  /** Milliseconds. Default `HOLD_FOR`. */
  readonly holdFor?: number | undefined;
  /** Unlimited if missing. */
  readonly holdLimits?: HoldLimits | undefined;
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

/**
 * Repeatable and safe to interrupt.
 * @throws Refusal PRICE_CHANGED, SOLD_OUT, SALES_CLOSED, ALREADY_PAID, JUST_BOUGHT, PROMO_*, LISTING_*,
 * BOOKING_DISABLED, CHECKOUT_OPEN, TOO_YOUNG, TOO_MANY_HOLDS, HELD_TOO_OFTEN
 */
export const openCheckout = async (
  { gateway, readings, hints, holdFor = HOLD_FOR, holdLimits }: CheckoutDeps,
  userId: string,
  wanted: Wanted,
  own: AttemptIds,
  acting: ActingHandler,
): Promise<Opened> => {
  const { at } = acting.context;
  const call = async (asked: OpeningCall): Promise<OpeningReply> => {
    if (asked.call === 'find-intent') {
      const intent = await gateway.retrieveIntent(asked.intentId);
      return { found: intent && { ...seen(intent), clientSecret: intent.clientSecret } };
    }
    if (asked.call !== 'price') return askProvider(gateway, asked, at);
    const { attempt, held } = asked;
    const price = held
      ? await heldPrice(readings, wanted, held, at)
      : await priceOf(readings, wanted, { at, attempt });
    if ('rejected' in price) return { price };
    const { quote, sale } = price;
    await demandAge(userId, sale, acting);
    return { price: { quote, startsAt: sale.schedule.startsAt } };
  };
  const until = new Date(Date.parse(at) + holdFor).toISOString();
  const remembered = hints.forOpening(userId, wanted.listingId);
  const from = { userId, wanted, own, at, until, limits: holdLimits, hints: remembered };
  const { rest, view } = await runProcess(
    opening,
    { ...from, tries: 0, others: new Map(), runs: {} },
    acting,
    call,
  );
  for (const run of Object.values(view.runs)) hints.learn(run);
  if ('refused' in rest) throw notOpened(rest.refused, at);
  if ('closed' in rest) throw await closedRefusal(rest.closed, acting);
  hints.learn({ checkout: rest.opened });
  return { attempt: rest.opened, clientSecret: rest.clientSecret };
};
