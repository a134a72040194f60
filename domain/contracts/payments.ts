import * as z from 'zod/mini';
import { MOST_TICKETS_A_BOOKING } from '#domain/kernel/policy.ts';
import { call } from './call.ts';
import { amount, blankable, id, LONGEST, money } from './fields.ts';

// @__NO_SIDE_EFFECTS__
export function quantity() {
  const message = `Between 1 and ${MOST_TICKETS_A_BOOKING} tickets`;
  return z.int(message).check(z.minimum(1, message), z.maximum(MOST_TICKETS_A_BOOKING, message));
}

/**
 * `PRICE_CHANGED` unless `amount` is the discounted total. Against buying twice by accident, `lastBookingId`
 * is the caller's last booking of the event on the page (null for none): another one made within the hour
 * fails with `JUST_BOUGHT`. Omit it to skip the check.
 */
export const createPaymentIntentRequest = z.strictObject({
  eventId: id(),
  quantity: quantity(),
  amount: amount(),
  promoCode: z.nullish(blankable(LONGEST.code)),
  lastBookingId: z.nullish(id()),
});
export type CreatePaymentIntentRequest = z.input<typeof createPaymentIntentRequest>;

/** Null if nothing is due: the booking is made at once. */
export const paymentIntent = z.object({
  clientSecret: z.nullable(z.string()),
  paymentIntentId: z.nullable(z.string()),
  amount: money(),
  currency: z.literal('gbp'),
  /** ISO instant. */
  heldUntil: z.string(),
  quote: z.object({
    unitPrice: money(),
    quantity: z.int(),
    discount: money(),
    total: money(),
    promoCode: z.nullable(z.string()),
  }),
});
export type PaymentIntent = z.infer<typeof paymentIntent>;

export const paymentCalls = {
  createIntent: call('POST /api/create-payment-intent', {
    body: createPaymentIntentRequest,
    answer: paymentIntent,
    capability: 'buy',
    limit: 'intent',
    idempotent: true,
  }),
  webhook: call('POST /api/stripe/webhook', {
    answer: z.object({ received: z.literal(true) }),
    capability: 'receive-webhook',
    csrf: 'exempt',
    session: 'ignored',
    signed: true,
  }),
};
