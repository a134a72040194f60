/**
 * Runs the chain of a purchase (`domain/processes/purchase.ts`). The requests, the webhook, the reconciler and the timers all call
 * `advance`; several may advance the same attempt at once.
 */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { carryOut, runChain } from '#command-api/lane/run-chain.ts';
import { initial as noBooking } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { isOrder } from '#domain/kernel/chain.ts';
import { type Rejection, reject } from '#domain/kernel/decider.ts';
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
import { Recent } from './recent.ts';

export interface AdvanceDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
  /** The intents that nobody has to look at any more, as far as this process knows by the log: its buyers' own are here once they are booked. */
  readonly inOrder: Recent<true>;
}

/** A process's memory of the intents that are in order: those of a sale since the last comparison with the provider, and more. */
export const intentsInOrder = (): Recent<true> => new Recent(50_000);

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
  /** The attempt and the booking as they are known, whether the buyer asks for it, and whether to close it if it is not paid. */
  readonly known?: Pick<PurchaseView, 'checkout' | 'booking' | 'inventory' | 'claimed' | 'close'>;
  /** `placed`: stop when the booking exists; a job does the rest. Default: go on until the chain rests. */
  readonly until?: 'placed' | undefined;
}

/** The intent as the chain sees it. */
const seen = ({ id, status, amount, currency }: Intent): IntentSeen => ({ id, status, amount, currency });

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

/** A payment, in pence. */
export interface Paid {
  readonly intentId: string;
  readonly amount: number;
  readonly currency: string;
}

/** The payment of an intent that has succeeded. */
export const paidBy = ({ id, amount, currency }: Intent): Paid => ({ intentId: id, amount, currency });

/** Whether a payment is what an open attempt asks for: then nothing but a payment that came before refuses it. */
const pays = ({ intent, quote }: Attempt, { intentId, amount, currency }: Paid): boolean =>
  intent?.intentId === intentId && amount === quote.total && currency === quote.currency;

const SELL = { do: 'sell' } as const;

/** Takes the chain's own step of selling the tickets, before the payment is known to be recorded: what is not paid for in the end is returned. */
const sell = async (held: Attempt, at: string, acting: ActingLane): Promise<PurchaseView['inventory']> => {
  const { userId, listingId, attempt } = held;
  const view = { userId, listingId, attempt, at, checkout: held };
  const order = purchase.order(view, SELL);
  return isOrder(order) ? purchase.learn(view, SELL, await carryOut(order, acting)).inventory : undefined;
};

/** How a payment is settled. */
export interface SettleOptions extends Pick<AdvanceOptions, 'until'> {
  /** Stop with ALREADY_PAID if the payment was recorded before. */
  readonly onlyNews?: boolean;
  /** The attempt as this process remembers it, if it was open and its tickets held: they are sold while the payment is recorded. */
  readonly held?: Attempt | undefined;
}

/**
 * Records the payment of an attempt, and advances the attempt. Whoever learns of a payment calls this.
 * @returns a rejection if the payment can't be recorded: CHECKOUT_NOT_FOUND, PAYMENT_MISMATCH, CHECKOUT_EXPIRED
 */
export const settle = async (
  deps: AdvanceDeps,
  key: AttemptKey,
  paid: Paid,
  acting: ActingLane,
  { until, onlyNews = false, held }: SettleOptions = {},
): Promise<Advanced | Rejection> => {
  const { userId, listingId, attempt } = key;
  const command = { type: 'RecordPayment', attempt, ...paid } as const;
  const at = deps.clock().toISOString();
  const [outcome, tickets] = await Promise.all([
    acting.ask(checkout, checkoutId(userId, listingId), command),
    held && pays(held, paid) ? sell(held, at, acting) : undefined,
  ]);
  if (!outcome.ok) return outcome.rejection;
  const news = outcome.events.length > 0;
  const now = outcome.state.attempts.get(attempt);
  if (!news && onlyNews) {
    // Where another run has found that it gets no tickets, those that were just sold are returned.
    if (tickets === 'sold') await advance(deps, key, acting, { known: { checkout: now } });
    return reject('ALREADY_PAID');
  }
  // Whether a late payment gets tickets is not for the inventory alone to say.
  const inventory = now?.payment?.late ? undefined : tickets;
  const known = { checkout: now, inventory, ...(news ? { booking: noBooking } : {}) };
  return advance(deps, key, acting, { known, until });
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
  const settled = await settle(deps, key, paidBy(intent), acting);
  if (!('rejected' in settled)) notStuck(settled);
  else if (settled.rejected === 'CHECKOUT_NOT_FOUND') return 'unknown';
  else throw new Stuck(`intent ${id} of attempt ${key.attempt}: ${settled.rejected}`);
  return 'settled';
};
