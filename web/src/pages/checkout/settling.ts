/** What the answers to a booking mean for a payment: when to ask again, and what to tell the person. */
import { ApiError, failureOf, hasCode, messageOf } from '../../api/failure.ts';

/**
 * What the page knows of the money when it asks for the booking. `paid`: the provider said so. `unknown`: the card was sent, and no answer
 * came. `outdated`: the provider takes nothing more for this payment, which was paid or replaced. `none`: there is nothing to pay.
 */
export type Money = 'paid' | 'unknown' | 'outdated' | 'none';

/** How long it is asked again while the server has no payment, in milliseconds: the provider may not have told it yet. */
const NO_PAYMENT_YET: Record<Money, number> = { paid: 60_000, unknown: 10_000, outdated: 0, none: 10_000 };

/** Whether a booking that failed has to be asked for again, because it may still be made. @param elapsed milliseconds since it was first asked for */
export const isNotYet = (error: unknown, money: Money, elapsed: number): boolean => {
  if (hasCode(error, 'PAYMENT_INCOMPLETE')) return elapsed < NO_PAYMENT_YET[money];
  return failureOf(error) !== 'refused' || hasCode(error, 'BUSY') || hasCode(error, 'TOO_MANY');
};

/** Whether a booking is refused until the person's address is verified, by the flag or the words that the specification names (section 8). */
export const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.body.requiresEmailVerification || messageOf(error, '').includes('Email verification required'));

/** What went wrong, with the title of its message, and what it means for the money. */
export interface PaymentProblem {
  readonly title: string;
  readonly message: string;
  /**
   * `charged`: paid, and the booking is still being made. `returned`: paid, and on its way back. `unpaid`: the card was sent, but the
   * server knows of no payment. `untouched`: not charged. `held-anew`: not charged, and the tickets are being held again.
   */
  readonly money: 'charged' | 'returned' | 'unpaid' | 'untouched' | 'held-anew';
}

/** What to tell a person whose booking the server refuses for good. */
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
