import type { ErrorCode } from '#domain/kernel/errors.ts';
import { type Pence, SMALLEST_CHARGE } from '#domain/kernel/money.ts';
import { discountOn } from './discount.ts';
import type { PromotionTerms } from './events.ts';
import { type PromotionState, uses } from './state.ts';

/** Whether a code is valid, and its discount. */
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

/**
 * Whether a code may be used at a moment (`at`, an ISO instant) for a total before the discount. `attempt` is the caller's own open
 * attempt: a use that it has reserved is theirs. A code that leaves less than the provider charges holds for no card.
 */
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

/** Whether a promotion is switched on and within its dates at a moment. */
export const isUsable = ({ terms, archived }: PromotionState, at: string): boolean => {
  if (!terms || archived || !terms.isActive) return false;
  const now = Date.parse(at);
  return now >= Date.parse(terms.validFrom) && now <= Date.parse(terms.validUntil);
};

/** Whether all uses of a promotion are taken. */
export const isUsedUp = (state: PromotionState): boolean => {
  const limit = state.terms?.usageLimit ?? null;
  return limit !== null && uses(state) >= limit;
};

/** Letters that are drawn as nothing, which come along where a code is copied. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** What word processors and keyboards make of a hyphen. */
const DASHES = /[\p{Dash_Punctuation}\u2212]/gu;

/**
 * A code in the form in which it is compared, shown and part of its stream's name; undefined for text that can't be a code. Who sees the
 * same code has the same one: wide letters are plain ones, and every dash is a hyphen.
 */
export const promoCodeOf = (text: string): string | undefined => {
  const code = text.normalize('NFKC').replace(UNSEEN, '').replace(DASHES, '-').trim().toUpperCase();
  return /^[A-Z0-9][A-Z0-9_-]{0,49}$/.test(code) ? code : undefined;
};
