/**
 * Runs the chain of a purchase (`domain/processes/purchase.ts`). The requests, the webhook, the reconciler and the timers all call
 * `advance`; several may advance the same attempt at once.
 */
import { LRUCache } from 'lru-cache';
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
import {
  GatewayRefused,
  GatewayUnavailable,
  type Intent,
  type PaymentGateway,
} from '#infra/payments/gateway.ts';

export interface AdvanceDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
  /** The intents that nobody has to look at any more, as far as this process knows by the log: its buyers' own are here once they are booked. */
  readonly inOrder: LRUCache<string, true>;
}

/** A process's memory of the intents that are in order: those of a sale since the last comparison with the provider, and more. */
export const intentsInOrder = (): LRUCache<string, true> => new LRUCache({ max: 50_000 });

/** How far an attempt came. */
export interface Advanced {
  /** `placed`: the booking exists, and the caller wanted to stop there. */
  readonly rest: PurchaseRest | 'placed';
  readonly view: PurchaseView;
  /** The secret with which the browser pays; null if no intent was made here. */
  readonly clientSecret: string | null;
}

/** What the caller knows already, and how far to go. */
export interface AdvanceOptions {
  /** The attempt, the intent if it is paid, whether the buyer asks for the booking, and whether to close the attempt if it is not paid. */
  readonly known?: Pick<PurchaseView, 'checkout' | 'paid' | 'claimed' | 'close'>;
  /** `placed`: stop when the booking exists; a job does the rest. Default: go on until the chain rests. */
  readonly until?: 'placed' | undefined;
}

/** An intent as a purchase sees it. */
export const seen = ({ id, status, amount, currency }: Intent): IntentSeen => ({
  id,
  status,
  amount,
  currency,
});

/** Makes the intent of an attempt; undefined if the provider refuses to make it. */
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

/** Cancels an intent, and returns what it is after that; undefined if the provider does not know it. */
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
    // The tickets are released although the provider gave no answer. If the intent is paid after all, the payment is late.
    return { id: intentId, status: 'processing', amount: 0, currency: 'gbp' };
  }
};

const isPlaced = ({ booking }: PurchaseView): boolean => !!booking?.facts && !booking.unfilled;

/**
 * Takes the missing steps of an attempt. It can be repeated, and interrupted anywhere.
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

/** Thrown for work that can't go on without a person. Its job keeps failing, and is shown to operators. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

/** Passes on how far an attempt came. @throws Stuck if a person has to look at it */
export const notStuck = (advanced: Advanced): Advanced => {
  const { stuck, attempt } = advanced.view;
  if (stuck) throw new Stuck(`attempt ${attempt}: ${stuck}`);
  return advanced;
};

/**
 * Records the payment of an intent if it has succeeded, and completes its purchase, or pays the money back if no ticket is left. It can
 * be repeated.
 * @returns `unknown` if the intent belongs to no attempt of this log
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
