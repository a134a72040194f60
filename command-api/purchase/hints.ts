import { LRUCache } from 'lru-cache';
import { checkoutId } from '#domain/checkout/checkout.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import type { OpeningHints } from '#domain/processes/opening.ts';
import { isPlaced, type PurchaseView } from '#domain/processes/purchase.ts';
import type { Clock } from '#infra/lib/clock.ts';

/** Milliseconds after a sell-out in which the inventory is read before an attempt is opened. */
const SOLD_OUT_FOR = 5_000;

/** This process's memory of purchases. May be outdated: it saves reads, and only appends decide. */
export class Hints {
  readonly #clock: Clock;
  /** By checkout id. */
  readonly attempts = new LRUCache<string, Attempt>({ max: 10_000 });
  /** Last attempt that only needs marking as completed, by checkout id. (An attempt without tickets still needs a refund.) */
  readonly #settled = new LRUCache<string, string>({ max: 10_000 });
  /** By listing id, in epoch milliseconds. */
  readonly #soldOut = new LRUCache<number, number>({ max: 1_000 });
  /** Intents that the reconciler need not look at. */
  readonly inOrder = new LRUCache<string, true>({ max: 50_000 });

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
