import type { Pool } from 'pg';
import type Stripe from 'stripe';
import type { Intent, PaymentGateway } from '#infra/payments/gateway.ts';
import { readCard } from '#infra/payments/sandbox/cards.ts';
import { findIntent, type IntentRow, intentBody, storeIntent } from '#infra/payments/sandbox/intents.ts';
import { refundBody, storeRefund } from '#infra/payments/sandbox/refunds.ts';
import { intentOf, refundOf } from '#infra/payments/stripe.ts';

const never = (): never => {
  throw new Error('the demo does not do that');
};

const toIntent = (row: IntentRow): Intent => intentOf(intentBody(row) as unknown as Stripe.PaymentIntent);

/** Milliseconds. Older than what the reconciler compares. */
const PAID_BEFORE = 2 * 86_400_000;

/**
 * Payment gateway of the demo: every intent is paid at once with the provider's test card. Superusers can
 * refund these payments in the sandbox, which announces none of them.
 */
export const paidGateway = (pool: Pool): PaymentGateway => {
  const typed = { number: '4242424242424242', expMonth: '12', expYear: '2034', cvc: '123' };
  const read = readCard(typed, new Date());
  const card = 'wrong' in read ? never() : read;
  const retrieveIntent = async (id: string): Promise<Intent | undefined> => {
    const row = await findIntent(pool, id);
    return row && toIntent(row);
  };
  return {
    async createIntent({ purchase: { attempt, bookingId, userId, listingId }, amount }) {
      const id = `pi_demo${attempt.replaceAll('-', '')}`;
      const metadata = { attempt, bookingId: String(bookingId), userId, listingId: String(listingId) };
      const created_at = new Date(Date.now() - PAID_BEFORE);
      const paid = { status: 'succeeded', client_secret: `${id}_secret_demo`, card, created_at } as const;
      // A new intent is open; reading it again shows it paid.
      return { ...toIntent(await storeIntent(pool, { id, amount, metadata, ...paid })), status: 'open' };
    },
    retrieveIntent,
    cancelIntent: retrieveIntent,
    findIntents: never,
    async refund({ intentId: intent_id, amount, bookingId, attempt }) {
      const id = `re_demo${bookingId}x${attempt}`;
      const metadata = { bookingId: String(bookingId), attempt: String(attempt) };
      const paid = { status: 'succeeded', settles_as: null };
      const row = await storeRefund(pool, { id, intent_id, amount, metadata, ...paid });
      return { ok: true, refund: refundOf(refundBody(row) as unknown as Stripe.Refund) };
    },
    findRefunds: async () => [],
    findRefundsSince: never,
    findDisputes: never,
    verifyWebhook: never,
  };
};
