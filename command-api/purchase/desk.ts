import type { ActingLane } from '#command-api/lane/lane.ts';
import { checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason } from '#domain/checkout/events.ts';
import type { Attempt, UnpaidHolds } from '#domain/checkout/state.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { saidOf } from '#domain/kernel/said-of.ts';
import type { AttemptKey } from '#domain/processes/purchase.ts';
import { isUsable } from '#domain/promotion/check.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { keepsNewest } from '#infra/lib/lru.ts';
import { type AdvanceDeps, type Advanced, type AdvanceOptions, advance } from './advance.ts';
import type { Readings } from './readings.ts';

export interface CheckoutDeps extends AdvanceDeps {
  readonly readings: Readings;
  /** Milliseconds. Default `HOLD_FOR`. */
  readonly holdFor?: number | undefined;
  /** Unlimited if missing. */
  readonly holdLimits?: HoldLimits | undefined;
}

export interface HoldLimits {
  readonly live: number;
  readonly unpaid: UnpaidHolds;
}

/** This process's memory of purchases. May be outdated; only appends decide. */
export class Desk {
  readonly deps: CheckoutDeps;
  readonly attempts = keepsNewest<Attempt>(10_000);
  /** Last attempt that only needs marking as completed, by checkout id. (An attempt without tickets still needs a refund.) */
  readonly settled = keepsNewest<string>(10_000);
  /** By listing id, in epoch milliseconds. */
  readonly soldOut = keepsNewest<number>(1_000);

  constructor(deps: CheckoutDeps) {
    this.deps = deps;
  }

  async advance(key: AttemptKey, acting: ActingLane, options?: AdvanceOptions): Promise<Advanced> {
    const advanced = this.#remember(await advance(this.deps, key, acting, options));
    if (advanced.view.stuck) throw new Refusal(advanced.view.stuck);
    return advanced;
  }

  #remember(advanced: Advanced): Advanced {
    const { checkout: attempt, promotion, booking } = advanced.view;
    if (!attempt) return advanced;
    const id = checkoutId(attempt.userId, attempt.listingId);
    this.attempts.set(id, attempt);
    const redeemed = attempt.quote.promotion === null || promotion === 'redeemed';
    if (booking?.facts && !booking.unfilled && redeemed) this.settled.set(id, attempt.attempt);
    if (attempt.closing === 'sold_out')
      this.soldOut.set(String(attempt.listingId), this.deps.clock().getTime());
    return advanced;
  }
}

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

export const closedRefusal = async (
  closing: ClosingReason,
  { quote }: Attempt,
  acting: ActingLane,
): Promise<Refusal> => {
  const code = saidOf(TOLD, closing) ?? 'CHECKOUT_EXPIRED';
  if (closing !== 'promotion_refused' || !quote.promotion) return new Refusal(code);
  const { state } = await acting.state(promotion, quote.promotion.promotionId);
  return new Refusal(isUsable(state, acting.context.at) ? code : 'PROMO_INVALID');
};
