/** Runs a purchase (`domain/processes/purchase.ts`). Several callers may advance an attempt concurrently. */

import type { LRUCache } from 'lru-cache';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { runChain } from '#command-api/lane/run-chain.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import {
  type AttemptKey,
  type IntentSeen,
  type ProviderReply,
  type PurchaseRest,
  type PurchaseView,
  patienceEnds,
  purchase,
} from '#domain/processes/purchase.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { keepsNewest } from '#infra/lib/lru.ts';
import {
  GatewayRefused,
  GatewayUnavailable,
  type Intent,
  type PaymentGateway,
} from '#infra/payments/gateway.ts';

export interface AdvanceDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
  readonly inOrder: LRUCache<string, true>;
}

export const intentsInOrder = (): LRUCache<string, true> => keepsNewest(50_000);

export interface Advanced {
  readonly rest: PurchaseRest | 'placed';
  readonly view: PurchaseView;
  readonly clientSecret: string | null;
}

export interface AdvanceOptions {
  readonly known?: Pick<PurchaseView, 'checkout' | 'paid' | 'claimed' | 'close'>;
  /** `placed`: stop once the booking exists; a job does the rest. */
  readonly until?: 'placed' | undefined;
}

export const seen = ({ id, status, amount, currency }: Intent): IntentSeen => ({
  id,
  status,
  amount,
  currency,
});

const createIntent = async (
  gateway: PaymentGateway,
  { attempt, bookingId, userId, listingId, quote }: Attempt,
): Promise<Intent | undefined> => {
  try {
    const order = { attempt, bookingId, userId, listingId };
    return await gateway.createIntent({ purchase: order, amount: quote.total });
  } catch (error) {
    if (error instanceof GatewayRefused) return undefined;
    throw error;
  }
};

const cancelIntent = async (
  gateway: PaymentGateway,
  intentId: string,
  attempt: Attempt,
  at: string,
): Promise<IntentSeen | undefined> => {
  try {
    const intent = await gateway.cancelIntent(intentId);
    return intent && seen(intent);
  } catch (error) {
    const silent = error instanceof GatewayUnavailable || error instanceof GatewayRefused;
    if (!silent || Date.parse(at) < patienceEnds(attempt)) throw error;
    // Release the tickets although the provider did not answer; if the intent is paid after all, the payment
    // counts as late.
    return { id: intentId, status: 'processing', amount: 0, currency: 'gbp' };
  }
};

const isPlaced = ({ booking }: PurchaseView): boolean => !!booking?.facts && !booking.unfilled;

/**
 * Repeatable and safe to interrupt.
 * @throws Busy, LogUnavailable, OutcomeUnknown, GatewayUnavailable: call it again
 */
export const advance = async (
  { gateway, clock, inOrder }: AdvanceDeps,
  { userId, listingId, attempt }: AttemptKey,
  acting: ActingLane,
  { known, until }: AdvanceOptions = {},
): Promise<Advanced> => {
  const at = clock().toISOString();
  let clientSecret: string | null = null;
  const { rest, view } = await runChain(purchase, { ...known, userId, listingId, attempt, at }, acting, {
    async call(asked): Promise<ProviderReply> {
      if (asked.call === 'cancel-intent')
        return { cancelled: await cancelIntent(gateway, asked.intentId, asked.attempt, at) };
      const intent = await createIntent(gateway, asked.attempt);
      if (!intent) return { intent: 'refused' };
      clientSecret = intent.clientSecret;
      return { intent: seen(intent) };
    },
    until: (now): 'placed' | undefined => (until === 'placed' && isPlaced(now) ? until : undefined),
  });
  const paid = view.checkout?.payment?.intentId;
  if (paid && isPlaced(view)) inOrder.set(paid, true);
  return { rest, view, clientSecret };
};

/** A person must act. The job keeps failing and is shown to operators. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

export const notStuck = (advanced: Advanced): Advanced => {
  const { stuck, attempt } = advanced.view;
  if (stuck) throw new Stuck(`attempt ${attempt}: ${stuck}`);
  return advanced;
};

/**
 * Books a succeeded intent, or refunds it if sold out. Repeatable.
 * @returns `unknown` if no attempt of this log has the intent
 * @throws Stuck if the payment does not match the attempt
 */
export const settleIntent = async (
  deps: AdvanceDeps,
  intent: Intent,
  acting: ActingLane,
): Promise<'settled' | 'unpaid' | 'unknown'> => {
  const { id, status, purchase: key } = intent;
  if (!key) return 'unknown';
  if (status !== 'succeeded') return 'unpaid';
  const { view } = await advance(deps, key, acting, { known: { paid: seen(intent) } });
  if (view.stuck === 'CHECKOUT_NOT_FOUND') return 'unknown';
  if (view.stuck) throw new Stuck(`intent ${id} of attempt ${key.attempt}: ${view.stuck}`);
  return 'settled';
};
