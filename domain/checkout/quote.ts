import { type Rejection, reject } from '#domain/kernel/decider.ts';
import { type Pence, SMALLEST_CHARGE } from '#domain/kernel/money.ts';
import { type Discount, discountOn } from '#domain/promotion/discount.ts';
import type { Quote } from './events.ts';

export interface PriceOf {
  readonly unitPrice: Pence;
  readonly quantity: number;
  readonly promotion: (Discount & { readonly promotionId: number; readonly code: string }) | null;
}

/** AMOUNT_TOO_SMALL for a total above 0 and below the provider's smallest charge. */
export const quotePrice = ({ unitPrice, quantity, promotion }: PriceOf): Quote | Rejection => {
  const before = unitPrice * quantity;
  const discount = promotion ? discountOn(before, promotion) : 0;
  const total = before - discount;
  if (total > 0 && total < SMALLEST_CHARGE) return reject('AMOUNT_TOO_SMALL');
  return {
    unitPrice,
    quantity,
    discount,
    total,
    currency: 'gbp',
    promotion: promotion && { promotionId: promotion.promotionId, code: promotion.code },
  };
};
