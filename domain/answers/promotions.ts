import type { AdminPromotion } from '#domain/contracts/admin-promotions.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { shownOf } from '#domain/promotion/state.ts';

export interface PromotionParts {
  readonly id: number;
  readonly code: string;
  readonly terms: PromotionTerms;
  readonly redeemed: number;
  readonly reserved: number;
}

/** `"12.5"` percent, or `"5.00"` pounds. */
export const toDiscountValue = ({
  discountType,
  discountValue,
}: Pick<PromotionTerms, 'discountType' | 'discountValue'>): string =>
  discountType === 'percentage' ? String(discountValue) : toDecimal(discountValue);

export const toAdminPromotion = ({
  id,
  code,
  terms,
  redeemed,
  reserved,
}: PromotionParts): AdminPromotion => ({
  id,
  code,
  ...terms,
  revision: revisionOf(shownOf({ code, terms })),
  discountValue: toDiscountValue(terms),
  usageCount: redeemed,
  heldCount: reserved,
});
