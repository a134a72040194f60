/**
 * The port to the payment provider. It has three adapters: Stripe, the sandbox (the Stripe adapter with the address of
 * `infra/payments/sandbox`), and memory. `tests/conformance/payments.spec.ts` checks that they keep what is promised here.
 * Amounts are in pence, the currency is pounds.
 *
 * A caller records in the log what it is going to ask for before it asks, and never asks within a database transaction.
 */
import type { Pence } from '#domain/kernel/money.ts';
import type { ProviderRefund } from '#domain/refund/paid-back.ts';

export type { ProviderRefund, ProviderRefundStatus } from '#domain/refund/paid-back.ts';

/** The purchase that a payment is for. The provider keeps it as metadata, so that a payment leads to its purchase. */
export interface Purchase {
  readonly attempt: string;
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
}

/**
 * `open`: not paid, but it can be. `processing`: the provider works on the payment, and its outcome is not known yet.
 * `succeeded` and `canceled` are final.
 */
export type IntentStatus = 'open' | 'processing' | 'succeeded' | 'canceled';

/** A request to the buyer to pay an amount. The amount never changes: another price is another intent. */
export interface Intent {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amount: Pence;
  /** Lower case, `gbp`. */
  readonly currency: string;
  /** The secret with which a browser can pay this intent and do nothing else. */
  readonly clientSecret: string | null;
  /** Undefined for an intent that this product did not make. */
  readonly purchase: Purchase | undefined;
  /** The id of the log that has that purchase: other sites may use the same account. Undefined for an intent from before this was noted. */
  readonly log: string | undefined;
  /** When it was made, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A dispute, as the provider knows it: the card's holder told their bank that the payment was wrong. */
export interface ProviderDispute {
  readonly id: string;
  readonly amount: Pence;
  /** The provider's word for it: `fraudulent`. */
  readonly reason: string;
  /** `inquiry`: the bank only asks, and has taken no money. */
  readonly status: 'open' | 'inquiry' | 'won' | 'lost';
  /** Until when it takes evidence, an ISO instant; null if it takes none. */
  readonly dueBy: string | null;
  /** An ISO instant. */
  readonly openedAt: string;
}

/** The provider has taken the refund, or refuses it for good, for example since the amount is more than what is left. */
export type RefundOutcome =
  | { readonly ok: true; readonly refund: ProviderRefund }
  | { readonly ok: false; readonly why: string };

/** What a webhook tells. Only ids are taken from it: the intent, the refund or the dispute itself is fetched from the provider. */
export interface Notice {
  /** The provider's id of the webhook's event. The same event may arrive several times. */
  readonly id: string;
  readonly type: string;
  readonly about:
    | { readonly kind: 'intent'; readonly intentId: string }
    | { readonly kind: 'refund'; readonly intentId: string | null; readonly refundId: string }
    | { readonly kind: 'dispute'; readonly intentId: string | null; readonly disputeId: string }
    | { readonly kind: 'other' };
}

/** Thrown when the provider can't be reached, is overloaded, or has a fault. What was asked may have been done or not: ask again. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
  readonly code = 'UNAVAILABLE';
}

/** Thrown when the provider refuses a request and would refuse it again: a wrong key, a wrong setting, or a defect of ours. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}

/** What to make an intent for. */
export interface IntentOrder {
  readonly purchase: Purchase;
  readonly amount: Pence;
}

/** What to pay back. A repeat with the same booking and attempt is the same refund. */
export interface RefundOrder {
  readonly intentId: string;
  readonly amount: Pence;
  readonly bookingId: number;
  /** Counts from 1. */
  readonly attempt: number;
}

/** The payment provider. Every method may throw `GatewayUnavailable` or `GatewayRefused`. */
export interface PaymentGateway {
  /** Makes the intent for an attempt. The attempt is the idempotency key: a repeat gives the same intent. */
  createIntent(order: IntentOrder): Promise<Intent>;

  /** The intent as it is now; undefined if the provider does not know it. */
  retrieveIntent(intentId: string): Promise<Intent | undefined>;

  /**
   * Cancels an intent if that is still possible, and returns the intent as it is afterwards: `canceled`, `succeeded`, or another
   * state if the provider refuses for the moment. Undefined if the provider does not know it.
   */
  cancelIntent(intentId: string): Promise<Intent | undefined>;

  /** All intents made since a time, newest first: in any state, also those that this product did not make. */
  findIntents(since: Date): AsyncIterable<Intent>;

  /** Pays money back. Booking and attempt are the idempotency key: a repeat gives the same refund. */
  refund(order: RefundOrder): Promise<RefundOutcome>;

  /** All refunds of an intent, newest first. */
  findRefunds(intentId: string): Promise<readonly ProviderRefund[]>;

  /** All refunds made since a time, newest first: of any intent, also those that somebody made at the provider itself. */
  findRefundsSince(since: Date): AsyncIterable<ProviderRefund>;

  /** All disputes of an intent, newest first. */
  findDisputes(intentId: string): Promise<readonly ProviderDispute[]>;

  /** What a webhook tells; undefined if its signature does not fit the raw body or is too old. */
  verifyWebhook(rawBody: string | Buffer, signature: string): Notice | undefined;
}
