import * as z from 'zod/mini';
import { call } from './call.ts';
import { amount, id, LONGEST, money, text } from './fields.ts';

/** `POST /api/validate-promotion`. `totalAmount` is the total before the discount. */
export const validatePromotionRequest = z.strictObject({
  code: text(LONGEST.code, 'Please enter a promo code'),
  eventId: id(),
  totalAmount: amount(),
});
export type ValidatePromotionRequest = z.input<typeof validatePromotionRequest>;

/** Whether a code is valid, and its discount. For an invalid one `discountAmount` is `"0.00"`, and `message` says why. */
export const promotionCheck = z.object({
  valid: z.boolean(),
  discountAmount: money(),
  message: z.string(),
  promotion: z.nullable(
    z.object({
      code: z.string(),
      discountType: z.enum(['percentage', 'fixed']),
      /** In percent (`"12.5"`) or in pounds (`"5.00"`). */
      discountValue: z.string(),
    }),
  ),
});

export const promotionCalls = {
  /** Answers 200 for an invalid code too. */
  validate: call('POST /api/validate-promotion', {
    body: validatePromotionRequest,
    answer: promotionCheck,
    capability: 'buy',
    limit: 'promotion',
  }),
};
