/** Runs a purchase (`domain/processes/purchase.ts`). Several callers may take an attempt forward concurrently. */

import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import { checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { OpeningHints } from '#domain/processes/opening.ts';
import {
  type AttemptKey,
  type IntentSeen,
  isPlaced,
  type ProviderCall,
  type ProviderReply,
  type PurchaseRest,
  type PurchaseView,
  patienceEnds,
  purchase,
} from '#domain/processes/purchase.ts';
import { isUsable } from '#domain/promotion/check.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { keepsNewest } from '#infra/lib/lru.ts';
import {
  GatewayRefused,
  GatewayUnavailable,
  type Intent,
  type PaymentGateway,
} from '#infra/payments/gateway.ts';

/** Milliseconds after a sell-out in which the inventory is read before an attempt is opened. */
const SOLD_OUT_FOR = 5_000;

/** This process's memory of purchases. May be outdated: it saves reads, and only appends decide. */
export class Hints {
  readonly #clock: Clock;
  /** By checkout id. */
  readonly attempts = keepsNewest<Attempt>(10_000);
  /** Last attempt that only needs marking as completed, by checkout id. (An attempt without tickets still needs a refund.) */
  readonly #settled = keepsNewest<string>(10_000);
  /** By listing id, in epoch milliseconds. */
  readonly #soldOut = keepsNewest<number, number>(1_000);
  /** Intents that the reconciler need not look at. */
  readonly inOrder = keepsNewest<true>(50_000);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  forOpening(userId: string, listingId: number): OpeningHints {
    const id = checkoutId(userId, listingId);
    const soldOut = this.#soldOut.get(listingId);
    const ranOut = soldOut !== undefined && this.#clock().getTime() - soldOut <= SOLD_OUT_FOR;
    return { attempt: this.attempts.get(id)?.attempt, settled: this.#settled.get(id), ranOut };
  }

  /** From a buyer's own call: jobs take earlier attempts forward, too. */
  learn(view: Pick<PurchaseView, 'checkout' | 'booking' | 'promotion'>): void {
    const { checkout: attempt, promotion } = view;
    if (!attempt) return;
    const { userId, listingId, quote, closing } = attempt;
    const id = checkoutId(userId, listingId);
    this.attempts.set(id, attempt);
    const redeemed = quote.promotion === null || promotion === 'redeemed';
    if (isPlaced(view) && redeemed) this.#settled.set(id, attempt.attempt);
    if (closing === 'sold_out') this.#soldOut.set(listingId, this.#clock().getTime());
    this.learnPaid(view);
  }

  learnPaid(view: Pick<PurchaseView, 'checkout' | 'booking'>): void {
    const paid = view.checkout?.payment?.intentId;
    if (paid && isPlaced(view)) this.inOrder.set(paid, true);
  }
}

export interface PurchaseDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
  readonly hints: Hints;
}

export const seen = ({ id, status, amount, currency }: Intent): IntentSeen => ({
  id,
  status,
  amount,
  currency,
});

const createIntent = async (gateway: PaymentGateway, of: Attempt): Promise<ProviderReply> => {
  const { attempt, bookingId, userId, listingId, quote } = of;
  try {
    const order = { attempt, bookingId, userId, listingId };
    const intent = await gateway.createIntent({ purchase: order, amount: quote.total });
    return { intent: seen(intent), clientSecret: intent.clientSecret };
  } catch (error) {
    if (error instanceof GatewayRefused) return { intent: 'refused' };
    throw error;
  }
};

/** @param at ISO instant */
export const askProvider = async (
  gateway: PaymentGateway,
  asked: ProviderCall,
  at: string,
): Promise<ProviderReply> => {
  if (asked.call === 'create-intent') return createIntent(gateway, asked.attempt);
  try {
    const intent = await gateway.cancelIntent(asked.intentId);
    return { cancelled: intent && seen(intent) };
  } catch (error) {
    const silent = error instanceof GatewayUnavailable || error instanceof GatewayRefused;
    if (!silent || Date.parse(at) < patienceEnds(asked.attempt)) throw error;
    // Release the tickets although the provider did not answer; if the intent is paid after all, the payment
    // counts as late.
    return { cancelled: { id: asked.intentId, status: 'processing', amount: 0, currency: 'gbp' } };
  }
};

interface Ran {
  readonly rest: PurchaseRest;
  readonly view: PurchaseView;
}

/**
 * Repeatable and safe to interrupt.
 * @throws Busy, LogUnavailable, OutcomeUnknown, GatewayUnavailable: call it again
 */
export const carryOutPurchase = async (
  { gateway, clock, hints }: PurchaseDeps,
  { userId, listingId, attempt }: AttemptKey,
  acting: ActingHandler,
  known: Pick<PurchaseView, 'checkout' | 'paid' | 'claimed' | 'close' | 'until'> = {},
): Promise<Ran> => {
  const at = clock().toISOString();
  const from = { ...known, userId, listingId, attempt, at };
  const ran = await runProcess(purchase, from, acting, (asked) => askProvider(gateway, asked, at));
  hints.learnPaid(ran.view);
  return ran;
};

/** A person must act. The job keeps failing and is shown to operators. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

export const notStuck = (ran: Ran): Ran => {
  const { stuck, attempt } = ran.view;
  if (stuck) throw new Stuck(`attempt ${attempt}: ${stuck}`);
  return ran;
};

/**
 * Books a succeeded intent, or refunds it if sold out. Repeatable.
 * @returns `unknown` if no attempt of this log has the intent
 * @throws Stuck if the payment does not match the attempt
 */
export const settleIntent = async (
  deps: PurchaseDeps,
  intent: Intent,
  acting: ActingHandler,
): Promise<'settled' | 'unpaid' | 'unknown'> => {
  const { id, status, purchase: key } = intent;
  if (!key) return 'unknown';
  if (status !== 'succeeded') return 'unpaid';
  const { stuck } = (await carryOutPurchase(deps, key, acting, { paid: seen(intent) })).view;
  if (stuck === 'CHECKOUT_NOT_FOUND') return 'unknown';
  if (stuck) throw new Stuck(`intent ${id} of attempt ${key.attempt}: ${stuck}`);
  return 'settled';
};

const TOLD: Readonly<Record<ClosingReason, ErrorCode>> = {
  expired: 'CHECKOUT_EXPIRED',
  repriced: 'CHECKOUT_EXPIRED',
  abandoned: 'CHECKOUT_EXPIRED',
  erased: 'ERASED',
  sold_out: 'SOLD_OUT',
  sales_closed: 'SALES_CLOSED',
  promotion_refused: 'PROMO_USED_UP',
  payment_refused: 'UNAVAILABLE',
  too_many_holds: 'TOO_MANY_HOLDS',
};

export const closedRefusal = async ({ closing, quote }: Attempt, acting: ActingHandler): Promise<Refusal> => {
  const code = (closing && lookup(TOLD, closing)) ?? 'CHECKOUT_EXPIRED';
  if (closing !== 'promotion_refused' || !quote.promotion) return new Refusal(code);
  const { state } = await acting.state(promotion, quote.promotion.promotionId);
  return new Refusal(isUsable(state, acting.context.at) ? code : 'PROMO_INVALID');
};
