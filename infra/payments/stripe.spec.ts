import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signatureOf } from './sandbox/webhooks.ts';
import { stripeGateway } from './stripe.ts';

describe('Stripe’s webhook', () => {
  const webhookSecret = 'whsec_spec';
  const gateway = stripeGateway({ secretKey: 'sk_test_spec', webhookSecret });
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'ping', data: { object: {} } });
  const now = Math.floor(Date.now() / 1_000);

  it('is accepted with its own signature', () => {
    const signature = signatureOf(webhookSecret, body, now);
    expect(gateway.verifyWebhook(Buffer.from(body), signature)).toMatchObject({ id: 'evt_1', type: 'ping' });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"id":"evt_1","type":null,"data":{"object":{}}}',
    '{"id":"evt_1","type":"ping"}',
  ])('is ignored if its body is no event, even with a valid signature: %s', (odd) => {
    const signature = signatureOf(webhookSecret, odd, now);
    expect(gateway.verifyWebhook(Buffer.from(odd), signature)).toBeUndefined();
  });

  it.each([{ id: 'x y' }, { id: 'a'.repeat(300) }, { id: null }, { object: 'refund', id: {} }])(
    'about an object without a valid id is ignored: %j',
    (object) => {
      const odd = JSON.stringify({ id: 'evt_2', type: 'payment_intent.succeeded', data: { object } });
      const signature = signatureOf(webhookSecret, odd, now);
      expect(gateway.verifyWebhook(Buffer.from(odd), signature)?.about).toEqual({ kind: 'other' });
    },
  );

  it.each([
    '',
    't=1',
    't=,v1=',
    `t=${now},v1=`,
    `t=${now},v1=${'a'.repeat(64)}`,
    `t=${now},v1=${'é'.repeat(64)}`,
    `t=${now},v1=é`,
  ])('is refused with a wrong signature: %s', (signature) => {
    expect(gateway.verifyWebhook(Buffer.from(body), signature)).toBeUndefined();
  });
});

it.each([
  ['needs_response', 'chargeback', 'open'],
  ['under_review', 'chargeback', 'open'],
  ['won', 'chargeback', 'won'],
  ['lost', 'chargeback', 'lost'],
  ['warning_needs_response', 'inquiry', 'inquiry'],
  ['warning_under_review', 'inquiry', 'inquiry'],
  ['warning_closed', 'inquiry', 'won'],
  ['prevented', 'block', 'won'],
  ['prevented', 'resolution', 'lost'],
])('a dispute that is %s (%s) at Stripe is %s', async (status, case_type, expected) => {
  const about = {
    id: 'dp_1',
    object: 'dispute',
    amount: 5_700,
    reason: 'fraudulent',
    created: 1_764_979_200,
  };
  const data = [{ ...about, status, payment_method_details: { type: 'card', card: { case_type } } }];
  const provider = createServer((_, reply) => {
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ object: 'list', data, has_more: false, url: '/v1/disputes' }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void provider.close());
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  const api = new URL(`http://127.0.0.1:${port}`);
  const gateway = stripeGateway({ secretKey: 'sk_test_spec', webhookSecret: 'whsec_spec', api });
  expect(await gateway.findDisputes('pi_1')).toMatchObject([{ id: 'dp_1', status: expected }]);
});
