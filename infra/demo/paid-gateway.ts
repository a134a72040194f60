import type { Pool } from 'pg';
import type { Intent, PaymentGateway } from '#infra/payments/gateway.ts';
import { readCard } from '#infra/payments/sandbox/cards.ts';

interface Row {
  id: string;
  amount: number;
  status: 'succeeded';
  metadata: { attempt: string; bookingId: string; userId: string; listingId: string };
  created_at: Date;
}

const intentOf = (row: Row): Intent => ({
  id: row.id,
  status: row.status,
  amount: row.amount,
  currency: 'gbp',
  clientSecret: null,
  purchase: {
    attempt: row.metadata.attempt,
    bookingId: Number(row.metadata.bookingId),
    userId: row.metadata.userId,
    listingId: Number(row.metadata.listingId),
  },
  log: undefined,
  createdAt: row.created_at.getTime(),
});

/**
 * Payment gateway of the demo: every intent is paid at once with the provider's test card. It writes the
 * same rows as the payment sandbox, so that superusers can refund these payments, but sends no webhooks.
 */
export const paidGateway = (pool: Pool): PaymentGateway => {
  const card = readCard(
    { number: '4242424242424242', expMonth: '12', expYear: '2034', cvc: '123' },
    new Date(),
  );
  const never = (): never => {
    throw new Error('the demo does not do that');
  };
  const retrieveIntent = async (intentId: string): Promise<Intent | undefined> => {
    const { rows } = await pool.query<Row>('select * from app.sandbox_intent where id = $1', [intentId]);
    return rows[0] && intentOf(rows[0]);
  };
  return {
    async createIntent({ purchase, amount }) {
      const id = `pi_demo${purchase.attempt.replaceAll('-', '')}`;
      const metadata = Object.fromEntries(
        Object.entries(purchase).map(([key, value]) => [key, String(value)]),
      );
      await pool.query(
        `insert into app.sandbox_intent (id, client_secret, amount, currency, status, metadata, card, created_at)
         values ($1, $2, $3, 'gbp', 'succeeded', $4, $5, now() - interval '2 days') on conflict do nothing`,
        [id, `${id}_secret_demo`, amount, JSON.stringify(metadata), JSON.stringify(card)],
      );
      const intent = (await retrieveIntent(id)) ?? never();
      // A new intent is open; reading it again shows it paid.
      return { ...intent, status: 'open' };
    },
    retrieveIntent,
    cancelIntent: retrieveIntent,
    findIntents: never,
    async refund({ intentId, amount, bookingId, attempt }) {
      const id = `re_demo${bookingId}x${attempt}`;
      const metadata = JSON.stringify({ bookingId: String(bookingId), attempt: String(attempt) });
      await pool.query(
        `with made as (
           insert into app.sandbox_refund (id, intent_id, amount, status, metadata)
           values ($1, $2, $3, 'succeeded', $4) on conflict do nothing returning amount)
         update app.sandbox_intent set refunded = refunded + made.amount from made where id = $2`,
        [id, intentId, amount, metadata],
      );
      return {
        ok: true,
        refund: {
          ...{ id, intentId, status: 'succeeded', amount, bookingId, attempt, why: undefined },
          createdAt: Date.now(),
        },
      };
    },
    findRefunds: async () => [],
    findRefundsSince: never,
    findDisputes: never,
    verifyWebhook: never,
  };
};
