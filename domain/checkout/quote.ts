import { type Rejection, reject } from '#domain/decider.ts';
import { type Pence, percentOf, SMALLEST_CHARGE } from '#domain/money.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import type { Quote } from './events.ts';

/** A promotion's discount. `discountValue` is in percent or in pence, by `discountType`. */
export type Discount = Pick<PromotionTerms, 'discountType' | 'discountValue'>;

/** What a price is computed from. */
export interface PriceOf {
  readonly unitPrice: Pence;
  readonly quantity: number;
  readonly promotion: (Discount & { readonly promotionId: number; readonly code: string }) | null;
}

/**
 * The discount on a total, in pence: a percentage, rounded half up to the penny, or a fixed amount once for the booking, but never more
 * than the total.
 */
export const discountOn = (total: Pence, { discountType, discountValue }: Discount): Pence => {
  const off = discountType === 'percentage' ? percentOf(total, discountValue) : discountValue;
  return Math.max(0, Math.min(total, off));
};

/** Computes the price. Refuses with AMOUNT_TOO_SMALL a total above 0 and below the provider's smallest charge. */
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
