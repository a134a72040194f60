import { expect, test, vi } from 'vitest';
import { confirmCard, outcomeOf } from './sandbox.ts';

const card = { number: '4242424242424242', month: '12', year: '2040', cvc: '123' };
const pay = (answer: () => Promise<Response>) => {
  vi.stubGlobal('fetch', answer);
  return confirmCard('pk', 'pi_1_secret_2', card);
};

test('only the provider’s answer says that a card was refused', async () => {
  const declined = {
    error: { type: 'card_error', message: 'Your card was declined.', code: 'card_declined' },
  };
  expect(await pay(async () => Response.json(declined, { status: 402 }))).toEqual({
    state: 'refused',
    message: 'Your card was declined.',
    code: 'card_declined',
  });
});

test.each([
  ['a lost answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a 502 of a proxy', async () => new Response('<html>', { status: 502 })],
  ['a page of a proxy', async () => new Response('<html>')],
  ['a provider that failed', async () => Response.json({ error: { type: 'api_error' } }, { status: 500 })],
] as const)('after %s it is unknown whether the card was charged', async (_, answer) => {
  expect(await pay(answer)).toEqual({ state: 'unknown' });
});

test('an intent that is neither paid nor open can still be paid', () => {
  expect(outcomeOf({ status: 'processing' })).toEqual({ state: 'unknown' });
  expect(outcomeOf({ status: 'requires_payment_method' })).toMatchObject({ state: 'refused' });
  expect(outcomeOf({ status: 'succeeded' })).toEqual({ state: 'paid' });
});
