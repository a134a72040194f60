import { discountOn } from '#domain/checkout/quote.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { Pence } from '#domain/money.ts';
import type { PromotionTerms } from './events.ts';
import { type PromotionState, uses } from './state.ts';

/** Whether a code holds, and what it would take off. */
export type PromotionAnswer =
  | {
      readonly valid: true;
      readonly promotionId: number;
      readonly code: string;
      readonly terms: PromotionTerms;
      readonly discount: Pence;
    }
  | { readonly valid: false; readonly why: Extract<ErrorCode, 'PROMO_INVALID' | 'PROMO_USED_UP'> };

/**
 * Whether a code may be used at a moment (ISO instant) for a total before the discount. `attempt`: the caller's own open checkout,
 * whose reservation already counts for them.
 */
export const checkPromotion = (
  state: PromotionState,
  { at, total, attempt }: { readonly at: string; readonly total: Pence; readonly attempt?: string },
): PromotionAnswer => {
  const { promotionId, code, terms } = state;
  if (promotionId === null || !terms || !isUsable(state, at)) return { valid: false, why: 'PROMO_INVALID' };
  const own = attempt !== undefined && (state.reserved.has(attempt) || state.redeemed.has(attempt));
  if (!own && isUsedUp(state)) return { valid: false, why: 'PROMO_USED_UP' };
  return { valid: true, promotionId, code, terms, discount: discountOn(total, terms) };
};

/** Whether it is switched on and within its dates. */
export const isUsable = ({ terms, archived }: PromotionState, at: string): boolean => {
  if (!terms || archived || !terms.isActive) return false;
  const now = Date.parse(at);
  return now >= Date.parse(terms.validFrom) && now <= Date.parse(terms.validUntil);
};

/** Whether every use is taken. */
export const isUsedUp = (state: PromotionState): boolean => {
  const limit = state.terms?.usageLimit ?? null;
  return limit !== null && uses(state) >= limit;
};

/** The form in which a code is compared, shown, and put into its stream's name; undefined for what can't be a code. */
export const promoCodeOf = (text: string): string | undefined => {
  const code = text.trim().toUpperCase();
  return /^[A-Z0-9][A-Z0-9_-]{0,49}$/.test(code) ? code : undefined;
};
