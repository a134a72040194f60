import { type Pence, percentOf } from '#domain/kernel/money.ts';
import type { PromotionTerms } from './events.ts';

export type Discount = Pick<PromotionTerms, 'discountType' | 'discountValue'>;

/** Pence, never above the total: a percentage, rounded half up, or a fixed amount once per booking. */
export const discountOn = (total: Pence, { discountType, discountValue }: Discount): Pence => {
  const off = discountType === 'percentage' ? percentOf(total, discountValue) : discountValue;
  return Math.max(0, Math.min(total, off));
};
