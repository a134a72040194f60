import { expect, test } from 'vitest';
import { ApiError, NoAnswer } from '#web/lib/failure.ts';
import { isNotYet, isUnverified, type Money, problemOf } from './settling.ts';

const refusal = (code: string, more: object = {}, status = 409) =>
  new ApiError(status, JSON.stringify({ code, message: `No: ${code}.`, ...more }));
const incomplete = refusal('PAYMENT_INCOMPLETE');
const ALL: readonly Money[] = ['paid', 'unknown', 'outdated', 'none'];

test.each([
  ['a lost answer', new NoAnswer(true, undefined)],
  ['no connection', new NoAnswer(false, undefined)],
  ['a proxy without its server', new ApiError(502, '<html>')],
  ['a server that failed', refusal('INTERNAL', {}, 500)],
  ['a busy server', refusal('BUSY', {}, 503)],
  ['too many questions', refusal('TOO_MANY', {}, 429)],
])('%s is never the end, and is retried without limit', (_, error) => {
  for (const money of ALL) expect(isNotYet(error, money, 3_600_000)).toBe(true);
});

test('an unknown payment is asked for again, because the provider may not have reported it yet', () => {
  expect(isNotYet(incomplete, 'paid', 30_000)).toBe(true);
  expect(isNotYet(incomplete, 'unknown', 5_000)).toBe(true);
  expect(isNotYet(incomplete, 'unknown', 11_000)).toBe(false);
  expect(isNotYet(incomplete, 'outdated', 0)).toBe(false);
});

test('an unverified address is recognised by the flag, or by the words of an answer without a code', () => {
  const answer = (body: object) => new ApiError(403, JSON.stringify(body));
  expect(isUnverified(answer({ message: 'Email verification required to book.' }))).toBe(true);
  expect(isUnverified(answer({ message: 'No.', requiresEmailVerification: true }))).toBe(true);
  expect(isUnverified(refusal('SOLD_OUT'))).toBe(false);
});

test('any other refusal is the end', () => {
  for (const money of ALL) expect(isNotYet(refusal('CHECKOUT_EXPIRED'), money, 0)).toBe(false);
});

test('money that was taken is never reported as not taken', () => {
  const codes = ['PAYMENT_INCOMPLETE', 'CHECKOUT_EXPIRED', 'PRICE_CHANGED', 'SOLD_OUT', 'PAYMENT_MISMATCH'];
  for (const code of codes) expect(problemOf(refusal(code), 'paid')).toMatchObject({ money: 'charged' });
  const refunded = refusal('SOLD_OUT', { refunded: true });
  for (const money of ALL) expect(problemOf(refunded, money)).toMatchObject({ money: 'returned' });
});

test('a failed booking is explained in the server’s words', () => {
  for (const money of ['paid', 'none'] as const)
    expect(problemOf(refusal('PROFILE_INCOMPLETE'), money)).toMatchObject({
      title: 'Booking Failed',
      message: 'No: PROFILE_INCOMPLETE.',
    });
});

test('a payment that the provider has not reported yet is not called unpaid', () => {
  expect(problemOf(incomplete, 'paid').message).toBe('Your booking is taking longer than usual.');
});

test('a payment that the server does not know is shown with the server’s answer', () => {
  expect(problemOf(incomplete, 'unknown')).toMatchObject({ title: 'Payment Failed', money: 'unpaid' });
});

test('a payment replaced elsewhere has its tickets held again', () => {
  expect(problemOf(refusal('PRICE_CHANGED'), 'outdated')).toMatchObject({ money: 'held-anew' });
});

test('refused free tickets are shown as free of charge', () => {
  expect(problemOf(refusal('SOLD_OUT'), 'none')).toMatchObject({
    title: 'Booking Failed',
    message: 'No: SOLD_OUT.',
    money: 'untouched',
  });
});
