import * as z from 'zod/mini';
import { MOST_TICKETS_A_BOOKING } from '#domain/policy.ts';
import { call } from './call.ts';
import { amount, blankable, id, LONGEST, money } from './fields.ts';

/** From 1 to 10. */
// @__NO_SIDE_EFFECTS__
export function quantity() {
  const message = `Between 1 and ${MOST_TICKETS_A_BOOKING} tickets`;
  return z.int(message).check(z.minimum(1, message), z.maximum(MOST_TICKETS_A_BOOKING, message));
}

/** `amount` is the total after the discount; one that differs from the server's is refused with 409 `PRICE_CHANGED` and the right `amount`. */
export const createPaymentIntentRequest = z.strictObject({
  eventId: id(),
  quantity: quantity(),
  amount: amount(),
  promoCode: z.nullish(blankable(LONGEST.code)),
});
export type CreatePaymentIntentRequest = z.input<typeof createPaymentIntentRequest>;

/** Its answer. `clientSecret` is null where nothing is left to pay: the booking call then completes at once. */
export const paymentIntent = z.object({
  clientSecret: z.nullable(z.string()),
  paymentIntentId: z.nullable(z.string()),
  /** Total after the discount. */
  amount: money(),
  currency: z.literal('gbp'),
  /** ISO instant: until then the tickets are held. */
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

/** Paying, and what the provider tells. */
export const paymentCalls = {
  /** Opens the caller's checkout, or prices it anew. */
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
