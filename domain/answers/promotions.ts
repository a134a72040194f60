import type { AdminPromotion } from '#domain/contracts/admin-promotions.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { shownOf } from '#domain/promotion/state.ts';

/** What the answers about a promotion are built from. */
export interface PromotionParts {
  readonly id: number;
  readonly code: string;
  readonly terms: PromotionTerms;
  /** Uses by bookings, and by open checkouts. */
  readonly redeemed: number;
  readonly reserved: number;
}

/** `"12.5"` percent, or `"5.00"` pounds. */
export const toDiscountValue = ({
  discountType,
  discountValue,
}: Pick<PromotionTerms, 'discountType' | 'discountValue'>): string =>
  discountType === 'percentage' ? String(discountValue) : toDecimal(discountValue);

/** A promotion for superusers. */
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
