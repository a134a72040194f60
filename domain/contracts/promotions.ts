import * as z from 'zod/mini';
import { call } from './call.ts';
import { amount, id, LONGEST, money, text } from './fields.ts';

/** `totalAmount` is before the discount. */
export const validatePromotionRequest = z.strictObject({
  code: text(LONGEST.code, 'Please enter a promo code'),
  eventId: id(),
  totalAmount: amount(),
});
export type ValidatePromotionRequest = z.input<typeof validatePromotionRequest>;

/** What a code comes to (where it is invalid: `valid: false`, `discountAmount: "0.00"`, the reason in `message`). */
export const promotionCheck = z.object({
  valid: z.boolean(),
  discountAmount: money(),
  message: z.string(),
  promotion: z.nullable(
    z.object({
      code: z.string(),
      discountType: z.enum(['percentage', 'fixed']),
      /** `"12.5"` percent, or `"5.00"` pounds. */
      discountValue: z.string(),
    }),
  ),
});
export type PromotionCheck = z.infer<typeof promotionCheck>;

export const promotionCalls = {
  /** Whether a code holds, and what it would take off; 200 for an invalid one too. */
  validate: call('POST /api/validate-promotion', {
    body: validatePromotionRequest,
    answer: promotionCheck,
    capability: 'buy',
    limit: 'promotion',
  }),
};
