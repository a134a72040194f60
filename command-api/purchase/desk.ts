/** What opening and booking share in one process: their dependencies, a memory that saves readings, and refusals. */
import { LRUCache } from 'lru-cache';
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
import { type AdvanceDeps, type Advanced, type AdvanceOptions, advance } from './advance.ts';
import type { Readings } from './readings.ts';

/** What opening and booking need. */
export interface CheckoutDeps extends AdvanceDeps {
  readonly readings: Readings;
  /** How long tickets are held, in milliseconds. Default `HOLD_FOR`; chaos runs hold shorter. */
  readonly holdFor?: number | undefined;
  /** Missing: an account may hold as much and as often as it likes. */
  readonly holdLimits?: HoldLimits | undefined;
}

/** What an account may hold without buying. */
export interface HoldLimits {
  /** Of how many listings at once. */
  readonly live: number;
  readonly unpaid: UnpaidHolds;
}

/** What this process remembers of purchases. It may be outdated: only appends decide. */
export class Desk {
  readonly deps: CheckoutDeps;
  /** The last attempt of a checkout, by the checkout's id. */
  readonly attempts = new LRUCache<string, Attempt>({ max: 10_000 });
  /**
   * The last attempt that only has to be marked as completed, by the checkout's id: its booking is placed with tickets, and its
   * promotion is redeemed if it has one. (An attempt without tickets still has to be paid back.)
   */
  readonly settled = new LRUCache<string, string>({ max: 10_000 });
  /** When a listing was last found sold out, by the listing's id; milliseconds since the epoch. */
  readonly soldOut = new LRUCache<string, number>({ max: 1_000 });

  constructor(deps: CheckoutDeps) {
    this.deps = deps;
  }

  /** Advances an attempt, and remembers the result. @throws Refusal if a person has to look at it */
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

/** The refusal for a buyer whose attempt was closed. Of a code it says whether it is used up, or not valid any more. */
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
