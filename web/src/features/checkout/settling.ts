import { ApiError, failureOf, hasCode, messageOf } from '#web/lib/failure.ts';

/**
 * `paid`: confirmed by the provider. `unknown`: sent without an answer. `outdated`: the intent was paid or
 * replaced. `none`: nothing to pay.
 */
export type Money = 'paid' | 'unknown' | 'outdated' | 'none';

/** Milliseconds to retry while the server has no payment, because the provider's webhook may be late. */
const NO_PAYMENT_YET: Record<Money, number> = { paid: 60_000, unknown: 10_000, outdated: 0, none: 10_000 };

/** @param elapsed milliseconds since the first request */
export const isNotYet = (error: unknown, money: Money, elapsed: number): boolean => {
  if (hasCode(error, 'PAYMENT_INCOMPLETE')) return elapsed < NO_PAYMENT_YET[money];
  return failureOf(error) !== 'refused' || hasCode(error, 'BUSY') || hasCode(error, 'TOO_MANY');
};

/** Specification, section 8. */
export const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.body.requiresEmailVerification || messageOf(error, '').includes('Email verification required'));

export interface PaymentProblem {
  readonly title: string;
  readonly message: string;
  /**
   * `charged`: paid, booking in progress. `returned`: being refunded. `unpaid`: sent, but the server has no
   * payment. `untouched`: not charged. `held-anew`: not charged; the hold is being renewed.
   */
  readonly money: 'charged' | 'returned' | 'unpaid' | 'untouched' | 'held-anew';
}

export const problemOf = (error: unknown, money: Money): PaymentProblem => {
  const title = money === 'unknown' || money === 'outdated' ? 'Payment Failed' : 'Booking Failed';
  const message = messageOf(error, 'The booking could not be made.');
  if (error instanceof ApiError && error.body.refunded)
    return { title: 'Booking Failed', message, money: 'returned' };
  if (money === 'paid') {
    const late = hasCode(error, 'PAYMENT_INCOMPLETE') && 'Your booking is taking longer than usual.';
    return { title, message: late || message, money: 'charged' };
  }
  if (money === 'none') return { title, message, money: 'untouched' };
  if (money === 'unknown' && hasCode(error, 'PAYMENT_INCOMPLETE'))
    return { title, message: 'The payment system has no payment for these tickets.', money: 'unpaid' };
  const elsewhere = 'You opened this checkout again in another tab, or its time ran out.';
  return { title, message: elsewhere, money: 'held-anew' };
};
