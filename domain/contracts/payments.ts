import * as z from 'zod/mini';
import { MOST_TICKETS_A_BOOKING } from '#domain/kernel/policy.ts';
import { call } from './call.ts';
import { amount, blankable, id, LONGEST, money } from './fields.ts';

/** The number of tickets of a booking. */
// @__NO_SIDE_EFFECTS__
export function quantity() {
  const message = `Between 1 and ${MOST_TICKETS_A_BOOKING} tickets`;
  return z.int(message).check(z.minimum(1, message), z.maximum(MOST_TICKETS_A_BOOKING, message));
}

/**
 * `amount` is the total after the discount. If it is not the server's, the call is refused with `PRICE_CHANGED` and the right `amount`.
 * `lastBookingId` is the last booking of the event that the person has been shown, or null for none: if they have bought another one
 * within the last hour, the call is refused with `JUST_BOUGHT` and its `bookingId`, so that nobody pays twice without knowing. If it is
 * left out, nothing is compared.
 */
export const createPaymentIntentRequest = z.strictObject({
  eventId: id(),
  quantity: quantity(),
  amount: amount(),
  promoCode: z.nullish(blankable(LONGEST.code)),
  lastBookingId: z.nullish(id()),
});
export type CreatePaymentIntentRequest = z.input<typeof createPaymentIntentRequest>;

/** The answer to it. `clientSecret` is null if there is nothing to pay: the booking is then made at once. */
export const paymentIntent = z.object({
  clientSecret: z.nullable(z.string()),
  paymentIntentId: z.nullable(z.string()),
  /** The total after the discount. */
  amount: money(),
  currency: z.literal('gbp'),
  /** Until when the tickets are held, an ISO instant. */
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

/** The calls for payments. */
export const paymentCalls = {
  /** Opens the caller's checkout, or updates its price. */
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
