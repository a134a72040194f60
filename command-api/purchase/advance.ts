/**
 * The one way forward of a purchase (`domain/checkout/purchase.ts`). The request, the webhook, the reconciler and the timers all
 * come here; any number may advance the same attempt at once.
 */
import type { ActingLane } from '#command-api/lane/lane.ts';
import { runChain } from '#command-api/lane/run-chain.ts';
import { initial as noBooking } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import {
  type AttemptKey,
  type IntentSeen,
  type ProviderReply,
  type PurchaseRest,
  type PurchaseView,
  patienceEnds,
  purchase,
} from '#domain/checkout/purchase.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { type Rejection, reject } from '#domain/decider.ts';
import type { Clock } from '#infra/clock.ts';
import {
  GatewayRefused,
  GatewayUnavailable,
  type Intent,
  type PaymentGateway,
} from '#infra/payments/gateway.ts';

export interface AdvanceDeps {
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
}

/** How far an attempt came. */
export interface Advanced {
  /** `placed`: the booking exists, and the caller wanted no more. */
  readonly rest: PurchaseRest | 'placed';
  readonly view: PurchaseView;
  /** Where an intent was made. */
  readonly clientSecret: string | null;
}

/** What a caller already knows, and how far it wants to go. */
export interface AdvanceOptions {
  /** What is known besides the key: the checkout as a command left it, the booking, a wish to close. */
  readonly known?: Pick<PurchaseView, 'checkout' | 'booking' | 'close'>;
  /** `placed`: stop as soon as the buyer can be answered; jobs do the rest. Default: go on until it rests. */
  readonly until?: 'placed' | undefined;
}

/** The provider's intent in the chain's words. */
const seen = ({ id, status, amount, currency }: Intent): IntentSeen => ({ id, status, amount, currency });

/** Undefined: the provider makes none, and never will. */
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

/** Undefined: the provider knows no such intent. */
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
    // Tickets wait no longer for a provider that can't be asked; should it be paid, that is late money.
    return { id: intentId, status: 'processing', amount: 0, currency: 'gbp' };
  }
};

const isPlaced = ({ booking }: PurchaseView): boolean => !!booking?.facts && !booking.unfilled;

/**
 * Advances an attempt until it rests. Repeatable, and safe to break off anywhere.
 * @throws Busy, LogUnavailable, OutcomeUnknown, GatewayUnavailable: call it again
 */
export const advance = async (
  { gateway, clock }: AdvanceDeps,
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
  return { rest, view, clientSecret };
};

/** What was paid. `intentId` is null, and the amount 0, where nothing was owed. Amount in pence. */
export interface Paid {
  readonly intentId: string | null;
  readonly amount: number;
  readonly currency: string;
}

/** What an intent that has succeeded paid. */
export const paidBy = ({ id, amount, currency }: Intent): Paid => ({ intentId: id, amount, currency });

/**
 * Records that an attempt is paid, and advances it. Everybody who hears of a payment comes here.
 * @param onlyNews go no further where the payment had been recorded before, and answer ALREADY_PAID
 * @returns a rejection where the payment can't be recorded: CHECKOUT_NOT_FOUND, PAYMENT_MISMATCH, CHECKOUT_EXPIRED
 */
export const settle = async (
  deps: AdvanceDeps,
  key: AttemptKey,
  paid: Paid,
  acting: ActingLane,
  { until, onlyNews = false }: Pick<AdvanceOptions, 'until'> & { readonly onlyNews?: boolean } = {},
): Promise<Advanced | Rejection> => {
  const { userId, listingId, attempt } = key;
  const command = { type: 'RecordPayment', attempt, ...paid } as const;
  const outcome = await acting.ask(checkout, checkoutId(userId, listingId), command);
  if (!outcome.ok) return outcome.rejection;
  const news = outcome.events.length > 0;
  if (!news && onlyNews) return reject('ALREADY_PAID');
  const known = { checkout: outcome.state.attempts.get(attempt), ...(news ? { booking: noBooking } : {}) };
  return advance(deps, key, acting, { known, until });
};

/** Thrown for what no step can bring further: people have to look at it. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

/** @throws Stuck */
export const notStuck = (advanced: Advanced): Advanced => {
  const { stuck, attempt } = advanced.view;
  if (stuck) throw new Stuck(`attempt ${attempt}: ${stuck}`);
  return advanced;
};

/**
 * What the provider says of an intent, brought into the log: money that is there is recorded and its purchase completed, or
 * paid back where no ticket is left. `unknown`: not one of ours, or of another log. Repeatable.
 * @throws Stuck when the payment doesn't fit its attempt
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
