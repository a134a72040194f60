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
])('%s is never the end: it is asked again, however long it lasts', (_, error) => {
  for (const money of ALL) expect(isNotYet(error, money, 3_600_000)).toBe(true);
});

test('a server that has no payment is asked again, since the provider may not have told it yet', () => {
  expect(isNotYet(incomplete, 'paid', 30_000)).toBe(true);
  expect(isNotYet(incomplete, 'unknown', 5_000)).toBe(true);
  expect(isNotYet(incomplete, 'unknown', 11_000)).toBe(false);
  expect(isNotYet(incomplete, 'outdated', 0)).toBe(false);
});

test('an address that is not verified is known by the flag or by the words, without a code', () => {
  const answer = (body: object) => new ApiError(403, JSON.stringify(body));
  expect(isUnverified(answer({ message: 'Email verification required to book.' }))).toBe(true);
  expect(isUnverified(answer({ message: 'No.', requiresEmailVerification: true }))).toBe(true);
  expect(isUnverified(refusal('SOLD_OUT'))).toBe(false);
});

test('any other refusal is the end', () => {
  for (const money of ALL) expect(isNotYet(refusal('CHECKOUT_EXPIRED'), money, 0)).toBe(false);
});

test('money that was taken is never said not to be', () => {
  const codes = ['PAYMENT_INCOMPLETE', 'CHECKOUT_EXPIRED', 'PRICE_CHANGED', 'SOLD_OUT', 'PAYMENT_MISMATCH'];
  for (const code of codes) expect(problemOf(refusal(code), 'paid')).toMatchObject({ money: 'charged' });
  const refunded = refusal('SOLD_OUT', { refunded: true });
  for (const money of ALL) expect(problemOf(refunded, money)).toMatchObject({ money: 'returned' });
});

test('a booking that failed says why, in the server’s words', () => {
  for (const money of ['paid', 'none'] as const)
    expect(problemOf(refusal('PROFILE_INCOMPLETE'), money)).toMatchObject({
      title: 'Booking Failed',
      message: 'No: PROFILE_INCOMPLETE.',
    });
});

test('what was paid is not said to be unpaid, where the provider has not told the server', () => {
  expect(problemOf(incomplete, 'paid').message).toBe('Your booking is taking longer than usual.');
});

test('a payment that the server doesn’t know is told as what the server said', () => {
  expect(problemOf(incomplete, 'unknown')).toMatchObject({ title: 'Payment Failed', money: 'unpaid' });
});

test('a payment that was replaced elsewhere has its tickets held anew', () => {
  expect(problemOf(refusal('PRICE_CHANGED'), 'outdated')).toMatchObject({ money: 'held-anew' });
});

test('free tickets that are refused cost nothing', () => {
  expect(problemOf(refusal('SOLD_OUT'), 'none')).toMatchObject({
    title: 'Booking Failed',
    message: 'No: SOLD_OUT.',
    money: 'untouched',
  });
});
