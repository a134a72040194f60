/**
 * What the port to the payment provider promises, against the sandbox always, and against the provider's test mode
 * where STRIPE_TEST_KEY is set: the same adapter and the same client on both.
 */
import { createHash, randomInt, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Intent, PaymentGateway } from '#infra/payments/gateway.ts';
import { sandboxAccount } from '#infra/payments/sandbox/account.ts';
import { SANDBOX_PATH, sandboxPlugin } from '#infra/payments/sandbox/plugin.ts';
import { stripeGateway } from '#infra/payments/stripe.ts';
import { CARDS, paymentForm, paymentPath } from '#tests/kit/card.ts';
import { migratedDatabase } from '#tests/kit/database.ts';

/** The id of the log that intents are made for. */
const LOG = 'log-of-this-spec';

/** One provider under test, and the hands of a buyer. */
interface Provider {
  readonly gateway: PaymentGateway;
  /** Pays with a card; resolves to the provider's word. */
  pay(intent: Intent, card: string): Promise<{ status?: string; code?: string; declineCode?: string }>;
}

const purchase = () => ({
  attempt: randomUUID(),
  bookingId: randomInt(1, 2 ** 31),
  userId: randomUUID(),
  listingId: 7,
});

const promises = (provider: () => Provider): void => {
  const opened = async (amount = 5_700): Promise<Intent> =>
    provider().gateway.createIntent({ purchase: purchase(), amount });
  const paid = async (card = CARDS.pays, amount = 5_700): Promise<Intent> => {
    const intent = await opened(amount);
    await provider().pay(intent, card);
    return intent;
  };

  it('a gateway makes one intent for an attempt, with its purchase', async () => {
    const order = { purchase: purchase(), amount: 5_700 };
    const first = await provider().gateway.createIntent(order);
    const again = await provider().gateway.createIntent(order);
    expect(again.id).toBe(first.id);
    expect(first).toMatchObject({ status: 'open', amount: 5_700, currency: 'gbp', purchase: order.purchase });
    const now = await provider().gateway.retrieveIntent(first.id);
    expect(now).toMatchObject({ id: first.id, status: 'open', log: LOG });
  });

  it('a gateway finds no unknown intents', async () => {
    expect(await provider().gateway.retrieveIntent('pi_none')).toBeUndefined();
    expect(await provider().gateway.cancelIntent('pi_none')).toBeUndefined();
  });

  it('a gateway refuses a charge below the smallest one', async () => {
    await expect(opened(29)).rejects.toMatchObject({ name: 'GatewayRefused' });
  });

  it('a gateway takes a payment and then cancels no more', async () => {
    const intent = await paid();
    expect(await provider().gateway.retrieveIntent(intent.id)).toMatchObject({ status: 'succeeded' });
    expect(await provider().gateway.cancelIntent(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  it('a gateway cancels an intent once and takes no payment afterwards', async () => {
    const intent = await opened();
    expect(await provider().gateway.cancelIntent(intent.id)).toMatchObject({ status: 'canceled' });
    expect(await provider().gateway.cancelIntent(intent.id)).toMatchObject({ status: 'canceled' });
    expect(await provider().pay(intent, CARDS.pays)).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  it.each([
    ['declined', CARDS.declined, { code: 'card_declined', declineCode: 'generic_decline' }],
    ['out of funds', CARDS.poor, { code: 'card_declined', declineCode: 'insufficient_funds' }],
    ['expired', CARDS.expired, { code: 'expired_card' }],
    ['wrong security code', CARDS.wrongCvc, { code: 'incorrect_cvc' }],
  ])('a card that is %s leaves the intent open for another card', async (_name, card, why) => {
    const intent = await opened();
    expect(await provider().pay(intent, card)).toMatchObject(why);
    expect(await provider().gateway.retrieveIntent(intent.id)).toMatchObject({ status: 'open' });
    expect(await provider().pay(intent, CARDS.pays)).toMatchObject({ status: 'succeeded' });
  });

  it('a gateway asks for a challenge, and can cancel meanwhile', async () => {
    const intent = await opened();
    expect(await provider().pay(intent, CARDS.challenge)).toMatchObject({ status: 'requires_action' });
    expect(await provider().gateway.retrieveIntent(intent.id)).toMatchObject({ status: 'open' });
    expect(await provider().gateway.cancelIntent(intent.id)).toMatchObject({ status: 'canceled' });
  });

  it('a gateway lists later intents, newest first', async () => {
    const since = new Date(Date.now() - 60_000);
    const older = await opened();
    const newer = await opened();
    const ids: string[] = [];
    for await (const { id } of provider().gateway.findIntents(since)) ids.push(id);
    expect(ids.indexOf(newer.id)).toBeGreaterThanOrEqual(0);
    expect(ids.indexOf(older.id)).toBeGreaterThanOrEqual(0);
  });

  it('a gateway refunds once for an attempt, and never more than was paid', async () => {
    const intent = await paid();
    const order = { intentId: intent.id, amount: 5_000, bookingId: randomInt(1, 2 ** 31), attempt: 1 };
    const first = await provider().gateway.refund(order);
    const again = await provider().gateway.refund(order);
    expect(first).toMatchObject({
      ok: true,
      refund: { amount: 5_000, bookingId: order.bookingId, attempt: 1 },
    });
    expect(again).toEqual(first);
    expect(await provider().gateway.refund({ ...order, attempt: 2, amount: 701 })).toMatchObject({
      ok: false,
    });
    const [made, ...others] = await provider().gateway.findRefunds(intent.id);
    expect(others).toEqual([]);
    expect(Math.abs(Date.now() - (made?.createdAt ?? 0))).toBeLessThan(60_000);
  });

  it('a gateway lists later refunds of any payment, newest first', async () => {
    const since = new Date(Date.now() - 60_000);
    const paidBack = async (): Promise<string | undefined> => {
      const { id: intentId } = await paid();
      const order = { intentId, amount: 100, bookingId: randomInt(1, 2 ** 31), attempt: 1 };
      const outcome = await provider().gateway.refund(order);
      return outcome.ok ? outcome.refund.id : outcome.why;
    };
    const made = [await paidBack(), await paidBack()];
    const listed: string[] = [];
    for await (const { id } of provider().gateway.findRefundsSince(since)) listed.push(id);
    expect(listed.filter((id) => made.includes(id))).toEqual(made.reverse());
    const tomorrow = new Date(Date.now() + 24 * 3_600_000);
    for await (const { id } of provider().gateway.findRefundsSince(tomorrow)) expect(id).toBe('none');
  });

  it('a gateway refuses to refund what was never paid', async () => {
    const { id } = await opened();
    expect(
      await provider().gateway.refund({ intentId: id, amount: 100, bookingId: 1, attempt: 1 }),
    ).toMatchObject({
      ok: false,
    });
  });

  it('a gateway reports a payment that its buyer disputes', async () => {
    const { id } = await paid(CARDS.disputed);
    await vi.waitFor(
      async () =>
        expect(await provider().gateway.findDisputes(id)).toMatchObject([
          { amount: 5_700, reason: 'fraudulent', status: 'open' },
        ]),
      { timeout: 60_000, interval: 100 },
    );
    expect(await provider().gateway.findDisputes((await paid()).id)).toEqual([]);
  });

  it.each([
    ['succeeds later', CARDS.refundLater, 'pending', 'succeeded'],
    ['fails later', CARDS.refundFails, 'succeeded', 'failed'],
  ])('a refund that %s is reported', async (_name, card, first, last) => {
    const intent = await paid(card);
    const order = { intentId: intent.id, amount: 5_700, bookingId: randomInt(1, 2 ** 31), attempt: 1 };
    expect(await provider().gateway.refund(order)).toMatchObject({ ok: true, refund: { status: first } });
    await vi.waitFor(
      async () =>
        expect((await provider().gateway.findRefunds(intent.id))[0]).toMatchObject({ status: last }),
      { timeout: 60_000, interval: 100 },
    );
  });
};

describe('the payment sandbox', () => {
  const app = Fastify({ forceCloseConnections: true });
  const received: { body: string; signature: string }[] = [];
  let refusals = 1;
  const database = migratedDatabase();
  let origin = '';
  let gateway: PaymentGateway;
  let publishableKey = '';

  beforeAll(async () => {
    const account = await sandboxAccount(database.pool);
    publishableKey = account.publishableKey;
    await app.register(async (hooks) => {
      hooks.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      );
      hooks.post('/hook', async (request, reply) => {
        if (refusals-- > 0) return reply.code(500).send();
        received.push({ body: String(request.body), signature: String(request.headers['stripe-signature']) });
        return reply.send();
      });
    });
    await sandboxPlugin(app, {
      pool: database.pool,
      webhookUrl: () => `${origin}/hook`,
      production: false,
      wanted: false,
      refundsSettleIn: 1,
      every: 20,
    });
    origin = await app.listen({ host: '127.0.0.1', port: 0 });
    gateway = stripeGateway({ ...account, log: LOG, api: () => new URL(SANDBOX_PATH, origin) });
  });
  afterAll(() => app.close());

  const post = async (path: string, form: Record<string, string> | URLSearchParams, headers = {}) => {
    const body = new URLSearchParams(form);
    const reply = await fetch(new URL(path, origin), { method: 'POST', body, headers });
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
  const confirm = (intent: Intent, card: string, more: Record<string, string> = {}) =>
    post(paymentPath({ paymentIntentId: intent.id }), paymentForm(publishableKey, intent, card, more));
  const created = () => gateway.createIntent({ purchase: purchase(), amount: 1_200 });

  promises(() => ({
    gateway,
    pay: async (intent, card) => {
      const { body } = await confirm(intent, card);
      return { status: body.status, code: body.error?.code, declineCode: body.error?.decline_code };
    },
  }));

  it.each(['complete', 'fail'])('lets the buyer %s a challenge', async (outcome) => {
    const intent = await created();
    const { body } = await confirm(intent, CARDS.challenge);
    const answer = await post(body.next_action.redirect_to_url.url, {
      client_secret: intent.clientSecret ?? '',
      outcome,
    });
    const status = outcome === 'complete' ? 'succeeded' : 'requires_payment_method';
    expect(answer).toMatchObject({ status: 200, body: { status } });
  });

  it('delivers signed webhooks until they are accepted', async () => {
    const intent = await created();
    await confirm(intent, CARDS.pays);
    await vi.waitFor(
      () => {
        const notices = received.map(({ body, signature }) => gateway.verifyWebhook(body, signature));
        expect(notices).toContainEqual({
          id: expect.stringMatching(/^evt_/),
          type: 'payment_intent.succeeded',
          about: { kind: 'intent', intentId: intent.id },
        });
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(refusals).toBeLessThan(0);
    const [first] = received;
    if (!first) throw new Error('nothing was received');
    expect(gateway.verifyWebhook(`${first.body} `, first.signature)).toBeUndefined();
    expect(gateway.verifyWebhook(first.body, 't=1,v1=00')).toBeUndefined();
    expect(gateway.verifyWebhook(first.body, '')).toBeUndefined();
  });

  it('lets no buyer use the idempotency key of a refund', async () => {
    const intent = await created();
    const order = { intentId: intent.id, amount: 1_200, bookingId: randomInt(1, 2 ** 31), attempt: 1 };
    const taken = { 'idempotency-key': `refund-${order.bookingId}-1` };
    const form = paymentForm(publishableKey, intent, CARDS.pays);
    const pay = () => post(paymentPath({ paymentIntentId: intent.id }), form, taken);
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect(await gateway.refund(order)).toMatchObject({ ok: true, refund: { amount: 1_200 } });
  });

  it('stores no card number', async () => {
    const intent = await created();
    await confirm(intent, CARDS.pays);
    const { rows } = await database.pool.query('select * from app.sandbox_intent where id = $1', [intent.id]);
    expect(JSON.stringify(rows)).not.toContain('42424242');
    expect(rows[0].card.last4).toBe('4242');
  });

  it('authenticates its callers', async () => {
    const intent = await created();
    expect((await confirm(intent, CARDS.pays, { client_secret: 'guessed' })).status).toBe(400);
    expect((await confirm(intent, CARDS.pays, { key: 'pk_test_other' })).status).toBe(401);
    const stranger = stripeGateway({
      secretKey: 'sk_test_other',
      webhookSecret: 'whsec_x',
      api: new URL(SANDBOX_PATH, origin),
    });
    await expect(stranger.retrieveIntent(intent.id)).rejects.toMatchObject({ name: 'GatewayRefused' });
  });

  it.each(['limit=-1', 'limit=x', 'created[gte]=', 'created[gte]=tomorrow'])(
    'refuses malformed list parameters: %s',
    async (query) => {
      const { secretKey } = await sandboxAccount(database.pool);
      const reply = await fetch(new URL(`${SANDBOX_PATH}/v1/refunds?${query}`, origin), {
        headers: { authorization: `Bearer ${secretKey}` },
      });
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    },
  );

  it('parses a card like the provider', async () => {
    const intent = await created();
    const tries: [string, Record<string, string>, string][] = [
      ['4242424242424241', {}, 'incorrect_number'],
      ['4111111111111111', {}, 'card_declined'],
      [CARDS.pays, { 'payment_method_data[card][exp_year]': '2019' }, 'invalid_expiry_year'],
      [CARDS.pays, { 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month'],
      [CARDS.pays, { 'payment_method_data[card][cvc]': '1' }, 'invalid_cvc'],
    ];
    for (const [card, more, code] of tries) {
      expect((await confirm(intent, card, more)).body.error.code).toBe(code);
    }
  });

  it('is unavailable when it is not reachable', async () => {
    const away = stripeGateway({
      secretKey: 'sk_test_x',
      webhookSecret: 'whsec_x',
      api: new URL('http://127.0.0.1:1/'),
      retries: 0,
    });
    await expect(away.retrieveIntent('pi_1')).rejects.toMatchObject({
      name: 'GatewayUnavailable',
      code: 'UNAVAILABLE',
    });
  });

  it('does not run in production unless configured', async () => {
    const options = { pool: database.pool, webhookUrl: () => origin, production: true, wanted: false };
    await expect(sandboxPlugin(Fastify(), options)).rejects.toThrow('PAYMENTS=sandbox');
  });
});

const testKey = process.env.STRIPE_TEST_KEY;
const reason = testKey ? '' : ' (skipped: STRIPE_TEST_KEY is not set)';

describe.skipIf(!testKey)(`the provider’s test mode${reason}`, () => {
  const key = testKey ?? 'sk_test_unset';
  const client = new Stripe(key, { telemetry: false });
  /** Card numbers go to the provider by its own names for them: it takes raw numbers from browsers only. */
  const methods: Record<string, string> = {
    [CARDS.pays]: 'pm_card_visa',
    [CARDS.declined]: 'pm_card_visa_chargeDeclined',
    [CARDS.poor]: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    [CARDS.expired]: 'pm_card_chargeDeclinedExpiredCard',
    [CARDS.wrongCvc]: 'pm_card_chargeDeclinedIncorrectCvc',
    [CARDS.challenge]: 'pm_card_authenticationRequiredOnSetup',
    [CARDS.refundLater]: 'pm_card_pendingRefund',
    [CARDS.refundFails]: 'pm_card_refundFail',
  };
  const webhookSecret = `whsec_${createHash('sha256').update(key).digest('hex')}`;
  const gateway = stripeGateway({ secretKey: key, webhookSecret, log: LOG });

  promises(() => ({
    gateway,
    pay: async (intent, card) => {
      try {
        const { status } = await client.paymentIntents.confirm(intent.id, {
          payment_method: methods[card] ?? 'pm_card_visa',
          return_url: 'https://example.com/checkout',
        });
        return { status };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        return { code: error.code ?? '', declineCode: error.decline_code ?? '' };
      }
    },
  }));
});
