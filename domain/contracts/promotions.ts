import * as z from 'zod/mini';
import { amount, id, LONGEST, money, text } from './fields.ts';

/** `POST /api/validate-promotion`. `totalAmount` is before the discount. */
export const validatePromotionRequest = z.strictObject({
  code: text(LONGEST.code, 'Please enter a promo code'),
  eventId: id(),
  totalAmount: amount(),
});
export type ValidatePromotionRequest = z.input<typeof validatePromotionRequest>;

/** Its answer, 200 for an invalid code too (`valid: false`, `discountAmount: "0.00"`, the reason in `message`). */
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
