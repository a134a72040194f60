import { type Pence, percentOf } from '#domain/kernel/money.ts';
import type { PromotionTerms } from './events.ts';

/** A promotion's discount. `discountValue` is in percent or in pence, by `discountType`. */
export type Discount = Pick<PromotionTerms, 'discountType' | 'discountValue'>;

/**
 * The discount on a total, in pence: a percentage, rounded half up to the penny, or a fixed amount once for the booking, but never more
 * than the total.
 */
export const discountOn = (total: Pence, { discountType, discountValue }: Discount): Pence => {
  const off = discountType === 'percentage' ? percentOf(total, discountValue) : discountValue;
  return Math.max(0, Math.min(total, off));
};
