/**
 * The port to the payment provider. Three adapters stand behind it: Stripe, the sandbox (which is the
 * Stripe adapter talking to `infra/payments/sandbox`), and memory. `tests/conformance/payments.spec.ts` holds them to
 * what is promised here. Amounts are pence, the currency is pounds.
 *
 * A caller records its wish in the log before it calls, and never calls within a database transaction.
 */
import type { Pence } from '#domain/money.ts';

/** Whose purchase a payment is for; travels as the provider's metadata, so that either side can find the other. */
export interface Purchase {
  readonly attempt: string;
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
}

/**
 * `open`: not paid yet, can still be paid. `processing`: the provider is at work, the outcome is not known.
 * `succeeded` and `canceled` are final.
 */
export type IntentStatus = 'open' | 'processing' | 'succeeded' | 'canceled';

/** One wish to be paid. Immutable in its amount: a new price is a new intent. */
export interface Intent {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amount: Pence;
  /** Lower case, `gbp`. */
  readonly currency: string;
  /** Lets its holder pay this intent, and nothing else. */
  readonly clientSecret: string | null;
  /** Undefined for an intent that is not one of ours. */
  readonly purchase: Purchase | undefined;
  /** When it was made, milliseconds since the epoch. */
  readonly createdAt: number;
}

/** `pending` may last for days. `failed` and `canceled` may still follow upon `succeeded`. */
export type ProviderRefundStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** A refund as the provider has it. */
export interface ProviderRefund {
  readonly id: string;
  readonly intentId: string | null;
  readonly status: ProviderRefundStatus;
  readonly amount: Pence;
  /** From its metadata; undefined for a refund that was not made here. */
  readonly bookingId: number | undefined;
  readonly attempt: number | undefined;
  /** The provider's word on why it failed. */
  readonly why: string | undefined;
}

/** The provider took the refund, or says that it never will as asked (for example more than is left to give back). */
export type RefundOutcome =
  | { readonly ok: true; readonly refund: ProviderRefund }
  | { readonly ok: false; readonly why: string };

/** What a webhook is about. Only the name of the thing is trusted: the thing itself is fetched anew. */
export interface Notice {
  /** The provider's id of the event: the same event may arrive several times. */
  readonly id: string;
  readonly type: string;
  readonly about:
    | { readonly kind: 'intent'; readonly intentId: string }
    | { readonly kind: 'refund'; readonly intentId: string | null; readonly refundId: string }
    | { readonly kind: 'other' };
}

/** The provider can't be reached, is overloaded, or answered with a fault of its own: what was asked may have happened. Ask again. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
  readonly code = 'UNAVAILABLE';
}

/** The provider refuses what we ask, and would again: a wrong key, a wrong setting, a defect of ours. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}

/** What an intent is made for. */
export interface IntentOrder {
  readonly purchase: Purchase;
  readonly amount: Pence;
}

/** What is to be given back. Booking and attempt make a repeat the same refund. */
export interface RefundOrder {
  readonly intentId: string;
  readonly amount: Pence;
  readonly bookingId: number;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Every method throws `GatewayUnavailable` or `GatewayRefused` beside what it says. */
export interface PaymentGateway {
  /** An intent for an attempt. The attempt (one quote each) is the idempotency key: a repeat gives the same intent. */
  createIntent(order: IntentOrder): Promise<Intent>;

  /** The intent as it is now; undefined if the provider doesn't know it. */
  retrieveIntent(intentId: string): Promise<Intent | undefined>;

  /**
   * Cancels an intent, unless it is past that, and answers with what it then is: `canceled`, `succeeded`, or
   * anything else where the provider refused for now. Undefined if the provider doesn't know it.
   */
  cancelIntent(intentId: string): Promise<Intent | undefined>;

  /** Intents that were made since then, newest first, whoever made them and whatever became of them. */
  findIntents(since: Date): AsyncIterable<Intent>;

  /** Gives money back. The booking's id and the attempt are the idempotency key: a repeat gives the same refund. */
  refund(order: RefundOrder): Promise<RefundOutcome>;

  /** All refunds of an intent, newest first. */
  findRefunds(intentId: string): Promise<readonly ProviderRefund[]>;

  /** What a webhook says, or undefined for one whose signature doesn't fit the raw body, or is too old. */
  verifyWebhook(rawBody: string | Buffer, signature: string): Notice | undefined;
}
