/**
 * Port to the payment provider: Stripe, the sandbox (the Stripe adapter with another address), and memory;
 * `tests/conformance/payments.spec.ts` checks them. Pence. Callers log a request before making it, and never
 * call within a database transaction.
 */
import type { Pence } from '#domain/kernel/money.ts';
import type { ProviderRefund } from '#domain/refund/paid-back.ts';

export type { ProviderRefund, ProviderRefundStatus } from '#domain/refund/paid-back.ts';

export interface Purchase {
  readonly attempt: string;
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
}

/** `open`: can be paid. `processing`: outcome not known yet. `succeeded` and `canceled` are final. */
export type IntentStatus = 'open' | 'processing' | 'succeeded' | 'canceled';

/** Its amount never changes: another price is another intent. */
export interface Intent {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amount: Pence;
  /** `gbp`. */
  readonly currency: string;
  /** Lets a browser pay this intent and nothing else. */
  readonly clientSecret: string | null;
  /** Undefined if this product did not make the intent. */
  readonly purchase: Purchase | undefined;
  /** Other sites may share the account. Undefined in old intents. */
  readonly log: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface ProviderDispute {
  readonly id: string;
  readonly amount: Pence;
  readonly reason: string;
  /** `inquiry`: the bank asks and has taken no money. */
  readonly status: 'open' | 'inquiry' | 'won' | 'lost';
  /** ISO instant for evidence; null if none is accepted. */
  readonly dueBy: string | null;
  readonly openedAt: string;
}

/** Refused: permanently, for example because the amount exceeds the remainder. */
export type RefundOutcome =
  | { readonly ok: true; readonly refund: ProviderRefund }
  | { readonly ok: false; readonly why: string };

/** Only ids are taken from a verified webhook; the rest is fetched from the provider. */
export interface Notice {
  /** The same event may arrive several times. */
  readonly id: string;
  readonly type: string;
  readonly about:
    | { readonly kind: 'intent'; readonly intentId: string }
    | { readonly kind: 'refund'; readonly intentId: string | null; readonly refundId: string }
    | { readonly kind: 'dispute'; readonly intentId: string | null; readonly disputeId: string }
    | { readonly kind: 'other' };
}

/** Can't be reached, is overloaded or has failed. Repeat the request: it may have been carried out. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
  readonly code = 'UNAVAILABLE';
}

/** Permanently: a wrong key or setting, or a defect of ours. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}

export interface IntentOrder {
  readonly purchase: Purchase;
  readonly amount: Pence;
}

export interface RefundOrder {
  readonly intentId: string;
  readonly amount: Pence;
  readonly bookingId: number;
  readonly attempt: number;
}

export interface PaymentGateway {
  /** The attempt is the idempotency key. */
  createIntent(order: IntentOrder): Promise<Intent>;

  /** Undefined if the provider does not know it. */
  retrieveIntent(intentId: string): Promise<Intent | undefined>;

  /**
   * The new state: `canceled`, `succeeded`, or another if the provider refuses for now. Undefined if the
   * provider does not know it.
   */
  cancelIntent(intentId: string): Promise<Intent | undefined>;

  /** In any state and by any maker, newest first. */
  findIntents(since: Date): AsyncIterable<Intent>;

  /** Booking and attempt are the idempotency key. */
  refund(order: RefundOrder): Promise<RefundOutcome>;

  /** Newest first. */
  findRefunds(intentId: string): Promise<readonly ProviderRefund[]>;

  /** Newest first, including those made at the provider. */
  findRefundsSince(since: Date): AsyncIterable<ProviderRefund>;

  /** Newest first. */
  findDisputes(intentId: string): Promise<readonly ProviderDispute[]>;

  /** Undefined if the signature does not match the raw body or is too old. */
  verifyWebhook(rawBody: string | Buffer, signature: string): Notice | undefined;
}
