import type { ErrorCode } from '#domain/kernel/errors.ts';
import { type Pence, SMALLEST_CHARGE } from '#domain/kernel/money.ts';
import { discountOn } from './discount.ts';
import type { PromotionTerms } from './events.ts';
import { type PromotionState, uses } from './state.ts';

export type PromotionAnswer =
  | {
      readonly valid: true;
      readonly promotionId: number;
      readonly code: string;
      readonly terms: PromotionTerms;
      readonly discount: Pence;
    }
  | {
      readonly valid: false;
      readonly why: Extract<ErrorCode, 'PROMO_INVALID' | 'PROMO_USED_UP' | 'AMOUNT_TOO_SMALL'>;
    };

/** `total` is before the discount, `at` an ISO instant. A use reserved by `attempt` is the caller's own. */
export const checkPromotion = (
  state: PromotionState,
  { at, total, attempt }: { readonly at: string; readonly total: Pence; readonly attempt?: string },
): PromotionAnswer => {
  const { promotionId, code, terms } = state;
  if (promotionId === null || !terms || !isUsable(state, at)) return { valid: false, why: 'PROMO_INVALID' };
  const own = attempt !== undefined && state.reserved.has(attempt);
  if (!own && isUsedUp(state)) return { valid: false, why: 'PROMO_USED_UP' };
  const discount = discountOn(total, terms);
  const rest = total - discount;
  if (rest > 0 && rest < SMALLEST_CHARGE) return { valid: false, why: 'AMOUNT_TOO_SMALL' };
  return { valid: true, promotionId, code, terms, discount };
};

export const isUsable = ({ terms, archived }: PromotionState, at: string): boolean => {
  if (!terms || archived || !terms.isActive) return false;
  const now = Date.parse(at);
  return now >= Date.parse(terms.validFrom) && now <= Date.parse(terms.validUntil);
};

export const isUsedUp = (state: PromotionState): boolean => {
  const limit = state.terms?.usageLimit ?? null;
  return limit !== null && uses(state) >= limit;
};

/** Invisible characters that are copied along with a code. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Word processors replace hyphens by these. */
const DASHES = /[\p{Dash_Punctuation}\u2212]/gu;

/** Also in the stream's name: codes that look the same are equal. Undefined for an impossible code. */
export const promoCodeOf = (text: string): string | undefined => {
  const code = text.normalize('NFKC').replace(UNSEEN, '').replace(DASHES, '-').trim().toUpperCase();
  return /^[A-Z0-9][A-Z0-9_-]{0,49}$/.test(code) ? code : undefined;
};
