import * as z from 'zod/mini';
import { call } from './call.ts';
import { amount, id, LONGEST, money, text } from './fields.ts';

export const validatePromotionRequest = z.strictObject({
  code: text(LONGEST.code, 'Please enter a promo code'),
  eventId: id(),
  totalAmount: amount(),
});

/** For an invalid code, `"0.00"` and the reason as `message`. */
export const promotionCheck = z.object({
  valid: z.boolean(),
  discountAmount: money(),
  message: z.string(),
  promotion: z.nullable(
    z.object({
      code: z.string(),
      discountType: z.enum(['percentage', 'fixed']),
      discountValue: z.string(),
    }),
  ),
});

export const promotionCalls = {
  validate: call('POST /api/validate-promotion', {
    body: validatePromotionRequest,
    answer: promotionCheck,
    capability: 'buy',
    limit: 'promotion',
  }),
};
