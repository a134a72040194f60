/** What the purchase's two calls share in one process: what they are made from, hints that save readings, and refusals. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason } from '#domain/checkout/events.ts';
import type { AttemptKey } from '#domain/checkout/purchase.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import type { Rejection } from '#domain/decider.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  type AdvanceDeps,
  type Advanced,
  type AdvanceOptions,
  advance,
  type Paid,
  settle,
} from './advance.ts';
import type { Readings } from './readings.ts';
import { Recent } from './recent.ts';

export interface CheckoutDeps extends AdvanceDeps {
  readonly readings: Readings;
  /** How long tickets are held, in milliseconds. Default `HOLD_FOR`; chaos runs hold shorter. */
  readonly holdFor?: number | undefined;
}

/** What this process remembers. What it leads to is decided by an append, as ever. */
export class Desk {
  readonly deps: CheckoutDeps;
  /** The last attempt, by checkout. */
  readonly attempts = new Recent<Attempt>(10_000);
  /**
   * The last attempt that has nothing left to do but to be marked, by checkout: its booking was seen placed (not unfilled: that
   * one still has its money to give back), and its promotion redeemed if it has one.
   */
  readonly settled = new Recent<string>(10_000);
  /** When tickets were last refused, by listing; milliseconds since the epoch. */
  readonly soldOut = new Recent<number>(1_000);

  constructor(deps: CheckoutDeps) {
    this.deps = deps;
  }

  /** Advances an attempt, and remembers how far it came. @throws Refusal what it is stuck on */
  async advance(key: AttemptKey, acting: ActingLane, options?: AdvanceOptions): Promise<Advanced> {
    const advanced = this.#remember(await advance(this.deps, key, acting, options));
    if (advanced.view.stuck) throw new Refusal(advanced.view.stuck);
    return advanced;
  }

  /** Records that an attempt is paid, as `settle` does, and remembers how far it came. */
  async settle(
    key: AttemptKey,
    paid: Paid,
    acting: ActingLane,
    options?: Parameters<typeof settle>[4],
  ): Promise<Advanced | Rejection> {
    const settled = await settle(this.deps, key, paid, acting, options);
    return 'rejected' in settled ? settled : this.#remember(settled);
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

/** What a buyer is told of an attempt that was closed. */
export const TOLD: Readonly<Record<ClosingReason, ErrorCode>> = {
  expired: 'CHECKOUT_EXPIRED',
  repriced: 'CHECKOUT_EXPIRED',
  abandoned: 'CHECKOUT_EXPIRED',
  erased: 'ERASED',
  sold_out: 'SOLD_OUT',
  sales_closed: 'SALES_CLOSED',
  promotion_refused: 'PROMO_USED_UP',
  payment_refused: 'UNAVAILABLE',
};
