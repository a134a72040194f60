/** What the judge of the malformed requests takes for a fault. */
import { describe, expect, it } from 'vitest';
import { SANDBOX_PATH } from '#infra/payments/sandbox/plugin.ts';
import type { Draft } from './draft.ts';
import { judge } from './judge.ts';
import { isDecision, withoutDecisions } from './paid-back.ts';
import type { Reply } from './socket.ts';

describe('the fuzzer’s judge', () => {
  const draft: Pick<Draft, 'method' | 'path' | 'spoilt' | 'line'> = {
    method: 'GET',
    path: '/api/events/1',
    spoilt: [],
    line: undefined,
  };
  const answer = (status: number, body: unknown, type = 'application/json'): Reply => ({
    status,
    headers: new Map([['content-type', type]]),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
  const said = { message: 'x', requestId: 'y' };

  it.each([
    ['a fault', answer(500, { ...said, code: 'INTERNAL' })],
    ['a dependency that is down', answer(503, { ...said, code: 'UNAVAILABLE' })],
    ['no answer', answer(0, '')],
    ['an error of another shape', answer(400, { error: 'Bad Request' })],
    ['a code that there is not', answer(400, { ...said, code: 'WHATEVER' })],
    ['a code with another status', answer(409, { ...said, code: 'BAD_INPUT' })],
    ['a page for a call', answer(404, '<!doctype html>', 'text/html')],
    ['half an answer', answer(200, '{"a":')],
  ])('reports %s', (_name, reply) => {
    expect(judge(draft, reply)).toEqual(expect.any(String));
  });

  it.each([
    ['a success', answer(200, {})],
    ['a refusal', answer(400, { ...said, code: 'BAD_INPUT' })],
    ['a queue that is full', answer(503, { ...said, code: 'BUSY' })],
  ])('accepts %s', (_name, reply) => {
    expect(judge(draft, reply)).toBeUndefined();
  });

  it('accepts the payment provider’s own wording for refusals, and no other', () => {
    const refused = answer(400, { error: { message: 'You cannot cancel this PaymentIntent' } });
    const path = `${SANDBOX_PATH}/v1/payment_intents/pi_1/cancel`;
    expect(judge({ ...draft, path }, refused)).toBeUndefined();
    const line = `POST http://evil.test${path} HTTP/1.1`;
    expect(judge({ ...draft, path: path.toUpperCase(), line }, refused)).toBeUndefined();
    expect(judge(draft, refused)).toEqual(expect.any(String));
  });

  it('expects no answer to bytes that are no request', () => {
    expect(judge({ ...draft, spoilt: ['wire cut'] }, answer(0, ''))).toBeUndefined();
  });
});

describe('a refund that needs a person’s decision', () => {
  const paidBack = new Map([
    ['pi_1', { bookingId: 11, stands: true }],
    ['pi_2', { bookingId: 12, stands: false }],
  ]);
  const words = (bookingId: number) =>
    `all of £28.50 was paid back by hand, but booking ${bookingId} stands and admits: cancel it`;
  const job = (intentId: string, bookingId: number, id = `to-decide:provider-refund:${intentId}`) => ({
    ...{ id, subject: intentId },
    reason: `ToDecide: ${words(bookingId)}`,
  });

  it('is expected for a confirmed booking refunded by hand, and for no other', () => {
    expect(isDecision(job('pi_1', 11), paidBack)).toBe(true);
    const others = [job('pi_1', 12), job('pi_2', 12), job('pi_3', 11), job('pi_1', 11, 'webhook:1')];
    const failed = { ...job('pi_1', 11), reason: 'Error: no answer' };
    for (const other of [...others, failed]) expect(isDecision(other, paidBack)).toBe(false);
  });

  it('can be logged once, also if the booking was cancelled since', () => {
    const line = (about: string, msg: string) => JSON.stringify({ level: 50, about, msg });
    const right = [line('pi_1', words(11)), line('pi_2', words(12))];
    const wrong = [
      line('pi_1', words(11)),
      line('pi_2', words(11)),
      line('pi_3', words(11)),
      line('pi_1', 'boom'),
      'nobody caught Error: boom',
    ];
    expect(withoutDecisions([...right, ...wrong], paidBack)).toEqual(wrong);
  });
});
