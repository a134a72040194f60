/** Also for the sandbox. https://docs.stripe.com/api, https://docs.stripe.com/webhooks */
import Stripe from 'stripe';
import {
  GatewayRefused,
  GatewayUnavailable,
  type Intent,
  type IntentStatus,
  type Notice,
  type PaymentGateway,
  type ProviderDispute,
  type ProviderRefund,
  type ProviderRefundStatus,
  type Purchase,
} from './gateway.ts';

export interface StripeGatewayOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Needed only to create intents. */
  readonly log?: string;
  /** An origin and the path before `/v1`. Called for each request, since the port may be chosen late. */
  readonly api?: URL | (() => URL);
  readonly timeout?: number;
  readonly retries?: number;
}

const STATUS: Readonly<Record<string, IntentStatus>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  succeeded: 'succeeded',
  canceled: 'canceled',
};

const purchaseOf = (metadata: Stripe.Metadata | null): Purchase | undefined => {
  const { attempt, bookingId, userId, listingId } = metadata ?? {};
  if (!attempt || !userId || !bookingId || !listingId) return undefined;
  return { attempt, userId, bookingId: Number(bookingId), listingId: Number(listingId) };
};

export const intentOf = (intent: Stripe.PaymentIntent): Intent => ({
  id: intent.id,
  status: STATUS[intent.status] ?? 'processing',
  amount: intent.amount,
  currency: intent.currency,
  clientSecret: intent.client_secret,
  purchase: purchaseOf(intent.metadata),
  log: intent.metadata?.log,
  createdAt: intent.created * 1000,
});

const REFUND_STATUS: Readonly<Record<string, ProviderRefundStatus>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);

const idOf = (reference: string | { readonly id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

export const refundOf = (refund: Stripe.Refund): ProviderRefund => ({
  id: refund.id,
  intentId: idOf(refund.payment_intent),
  status: REFUND_STATUS[refund.status ?? ''] ?? 'pending',
  amount: refund.amount,
  bookingId: numberOf(refund.metadata?.bookingId),
  attempt: numberOf(refund.metadata?.attempt),
  why: refund.failure_reason ?? undefined,
  createdAt: refund.created * 1000,
});

/** A `warning` is an inquiry; a closed one took no money. */
const DISPUTE_STATUS: Readonly<Record<string, ProviderDispute['status']>> = {
  won: 'won',
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  lost: 'lost',
};

/** A prevented dispute was blocked, or resolved by a refund. */
const statusOf = ({ status, payment_method_details: details }: Stripe.Dispute): ProviderDispute['status'] => {
  if (status === 'prevented') return details?.card?.case_type === 'resolution' ? 'lost' : 'won';
  return DISPUTE_STATUS[status] ?? 'open';
};

const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const disputeOf = (dispute: Stripe.Dispute): ProviderDispute => ({
  id: dispute.id,
  amount: dispute.amount,
  reason: dispute.reason,
  status: statusOf(dispute),
  dueBy: dispute.evidence_details?.due_by ? instantOf(dispute.evidence_details.due_by) : null,
  openedAt: instantOf(dispute.created),
});

const madeSince = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 });

const { errors } = Stripe;
const IN_USE = new Set(['idempotency_key_in_use', 'lock_timeout']);

const translated = (error: unknown): Error => {
  if (!(error instanceof errors.StripeError))
    return error instanceof Error ? error : new Error(String(error));
  const temporary =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    (error.statusCode ?? 0) >= 500 ||
    IN_USE.has(error.code ?? '');
  const Kind = temporary ? GatewayUnavailable : GatewayRefused;
  return new Kind(`the payment provider: ${error.code ?? error.type}: ${error.message}`, { cause: error });
};

const isMissing = (error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing';

const elsewhere = (api: () => URL): NonNullable<Stripe.StripeConfig['httpClient']> => {
  const inner = Stripe.createNodeHttpClient();
  return {
    getClientName: () => inner.getClientName(),
    makeRequest: (_host, _port, path, method, headers, data, _protocol, timeout) => {
      const { hostname, port, protocol, pathname } = api();
      const secure = protocol === 'https:';
      return inner.makeRequest(
        // URLs put IPv6 addresses in brackets; connections need them without.
        hostname.replace(/^\[|\]$/g, ''),
        port || (secure ? '443' : '80'),
        pathname.replace(/\/$/, '') + path,
        method,
        headers,
        data,
        secure ? 'https' : 'http',
        timeout,
      );
    },
  };
};

/** A signature proves the sender, not the form. */
const isEvent = (value: unknown): value is Stripe.Event => {
  const event = typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();
  const data: unknown = event.get('data');
  const object = typeof data === 'object' && data !== null && 'object' in data ? data.object : undefined;
  return (
    ['id', 'type'].every((name) => typeof event.get(name) === 'string') &&
    typeof object === 'object' &&
    object !== null
  );
};

/** A job for an invalid id would fail for ever. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^\w{1,255}$/.test(value);

const aboutOf = ({ type, data }: Stripe.Event): Notice['about'] => {
  const { object } = data;
  if (type.startsWith('payment_intent.') && 'id' in object && isId(object.id)) {
    return { kind: 'intent', intentId: object.id };
  }
  if ('object' in object && object.object === 'refund' && isId(object.id)) {
    const intentId = idOf(object.payment_intent);
    return { kind: 'refund', refundId: object.id, intentId: isId(intentId) ? intentId : null };
  }
  if ('object' in object && object.object === 'dispute' && isId(object.id)) {
    const intentId = idOf(object.payment_intent);
    return { kind: 'dispute', disputeId: object.id, intentId: isId(intentId) ? intentId : null };
  }
  return { kind: 'other' };
};

/** `t=…,v1=…`, where every part has a value (https://docs.stripe.com/webhooks#verify-manually). */
const SIGNATURE = /^\w+=[\w.-]+(,\s?\w+=[\w.-]+)*$/;

export const stripeGateway = (options: StripeGatewayOptions): PaymentGateway => {
  const { api } = options;
  const stripe = new Stripe(options.secretKey, {
    timeout: options.timeout ?? 10_000,
    maxNetworkRetries: options.retries ?? 2,
    telemetry: false,
    ...(api ? { httpClient: elsewhere(typeof api === 'function' ? api : () => api) } : {}),
  });

  const asking = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await question();
    } catch (error) {
      throw translated(error);
    }
  };

  const retrieveIntent = (intentId: string): Promise<Intent | undefined> =>
    asking(async () => {
      try {
        return intentOf(await stripe.paymentIntents.retrieve(intentId));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });

  return {
    retrieveIntent,

    createIntent: ({ purchase, amount }) =>
      asking(async () => {
        const { attempt, userId } = purchase;
        const metadata = {
          attempt,
          userId,
          bookingId: String(purchase.bookingId),
          listingId: String(purchase.listingId),
          ...(options.log === undefined ? {} : { log: options.log }),
        };
        return intentOf(
          await stripe.paymentIntents.create(
            { amount, currency: 'gbp', allowed_payment_method_types: ['card'], metadata },
            { idempotencyKey: `intent-${attempt}` },
          ),
        );
      }),

    cancelIntent: (intentId) =>
      asking(async () => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' }));
        } catch (error) {
          if (isMissing(error)) return undefined;
          // Already paid or canceled, or busy: its state tells which.
          if (error instanceof errors.StripeInvalidRequestError) return retrieveIntent(intentId);
          throw error;
        }
      }),

    async *findIntents(since) {
      try {
        for await (const intent of stripe.paymentIntents.list(madeSince(since))) yield intentOf(intent);
      } catch (error) {
        throw translated(error);
      }
    },

    refund: ({ intentId, amount, bookingId, attempt }) =>
      asking(async () => {
        const metadata = { bookingId: String(bookingId), attempt: String(attempt) };
        try {
          const refund = await stripe.refunds.create(
            { payment_intent: intentId, amount, metadata },
            { idempotencyKey: `refund-${bookingId}-${attempt}` },
          );
          return { ok: true, refund: refundOf(refund) };
        } catch (error) {
          if (!(error instanceof errors.StripeInvalidRequestError) || IN_USE.has(error.code ?? ''))
            throw error;
          return { ok: false, why: error.message };
        }
      }),

    findRefunds: (intentId) =>
      asking(async () => {
        const found: ProviderRefund[] = [];
        for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
          found.push(refundOf(refund));
        }
        return found;
      }),

    async *findRefundsSince(since) {
      try {
        for await (const refund of stripe.refunds.list(madeSince(since))) yield refundOf(refund);
      } catch (error) {
        throw translated(error);
      }
    },

    findDisputes: (intentId) =>
      asking(async () => {
        const found: ProviderDispute[] = [];
        for await (const dispute of stripe.disputes.list({ payment_intent: intentId, limit: 100 })) {
          found.push(disputeOf(dispute));
        }
        return found;
      }),

    verifyWebhook(rawBody, signature) {
      // The client throws other errors for parts without a value and for multi-byte characters.
      if (!SIGNATURE.test(signature)) return undefined;
      try {
        const event: unknown = stripe.webhooks.constructEvent(rawBody, signature, options.webhookSecret);
        if (!isEvent(event)) return undefined;
        return { id: event.id, type: event.type, about: aboutOf(event) };
      } catch (error) {
        const odd = error instanceof errors.StripeSignatureVerificationError || error instanceof SyntaxError;
        if (odd) return undefined;
        throw error;
      }
    },
  };
};
