import { type Aggregate, badInput, type Decision, type Rejection, reject } from '#domain/kernel/decider.ts';
import { isUsable, isUsedUp, promoCodeOf } from './check.ts';
import type { PromotionEvent, PromotionTerms } from './events.ts';
import { fromJSON, toJSON } from './snapshot.ts';
import { evolve, initial, type PromotionState, shownOf } from './state.ts';

/** `at` is an ISO instant. The caller claims the code first (`promoCode`). */
export type PromotionCommand =
  | {
      readonly type: 'CreatePromotion';
      readonly promotionId: number;
      readonly code: string;
      readonly terms: PromotionTerms;
    }
  | { readonly type: 'EditPromotion'; readonly code: string; readonly terms: PromotionTerms }
  | { readonly type: 'ArchivePromotion' }
  | { readonly type: 'ReserveUse'; readonly attempt: string; readonly at: string }
  | { readonly type: 'RedeemUse'; readonly attempt: string; readonly bookingId: number }
  /** Without a reservation, it makes a late one fail. */
  | { readonly type: 'ReleaseUse'; readonly attempt: string }
  /** Also before the redemption, so that the use never counts. */
  | { readonly type: 'ReturnUse'; readonly attempt: string; readonly bookingId: number };

/**
 * A late payment must not fail for its code: a redemption is never refused. `ReserveUse` refuses with
 * PROMO_INVALID, PROMO_USED_UP, CHECKOUT_EXPIRED (released or returned).
 */
const decide = (state: PromotionState, command: PromotionCommand): Decision<PromotionEvent> => {
  if (command.type === 'CreatePromotion') {
    if (state.promotionId !== null) return [];
    const { promotionId, code, terms } = command;
    return complaint(code, terms) ?? [{ type: 'PromotionCreated', data: { promotionId, code, ...terms } }];
  }
  const { promotionId } = state;
  if (promotionId === null) return reject('PROMO_INVALID');
  switch (command.type) {
    case 'EditPromotion': {
      if (state.archived) return reject('PROMO_INVALID');
      const { code, terms } = command;
      const refused = complaint(code, terms);
      if (refused) return refused;
      const same = code === state.code && state.terms !== null && sameTerms(terms, state.terms);
      return same ? [] : [{ type: 'PromotionEdited', data: { promotionId, code, ...terms } }];
    }
    case 'ArchivePromotion':
      return state.archived ? [] : [{ type: 'PromotionArchived', data: { promotionId } }];
    case 'ReserveUse': {
      const { attempt, at } = command;
      if (state.reserved.has(attempt) || state.redeemed.has(attempt)) return [];
      if (state.released.has(attempt) || state.returned.has(attempt)) return reject('CHECKOUT_EXPIRED');
      if (!isUsable(state, at)) return reject('PROMO_INVALID');
      if (isUsedUp(state)) return reject('PROMO_USED_UP');
      return [{ type: 'UseReserved', data: { promotionId, attempt, at } }];
    }
    case 'RedeemUse': {
      const { attempt, bookingId } = command;
      if (state.redeemed.has(attempt) || state.returned.has(attempt)) return [];
      const reserved = state.reserved.has(attempt);
      return [{ type: 'UseRedeemed', data: { promotionId, attempt, bookingId, reserved } }];
    }
    case 'ReleaseUse': {
      const { attempt } = command;
      if ([state.redeemed, state.released, state.returned].some((ended) => ended.has(attempt))) return [];
      const reserved = state.reserved.has(attempt);
      return [{ type: 'UseReleased', data: { promotionId, attempt, reserved } }];
    }
    case 'ReturnUse': {
      const { attempt, bookingId } = command;
      if (state.returned.has(attempt)) return [];
      const reserved = state.reserved.has(attempt) ? 'reserved' : null;
      const counted = state.redeemed.has(attempt) ? 'redeemed' : reserved;
      return [{ type: 'UseReturned', data: { promotionId, attempt, bookingId, counted } }];
    }
  }
};

const sameTerms = (a: PromotionTerms, b: PromotionTerms): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  a.discountType === b.discountType &&
  a.discountValue === b.discountValue &&
  a.usageLimit === b.usageLimit &&
  a.validFrom === b.validFrom &&
  a.validUntil === b.validUntil &&
  a.isActive === b.isActive;

const complaint = (code: string, terms: PromotionTerms): Rejection | undefined => {
  const fields: Record<string, string> = {};
  if (promoCodeOf(code) !== code) fields.code = 'Use letters, digits, hyphens and underscores, at most 50';
  const { discountType, discountValue, usageLimit } = terms;
  if (!(discountValue >= 0)) fields.discountValue = 'The discount can’t be negative';
  if (discountType === 'percentage' && discountValue > 100) fields.discountValue = 'At most 100 per cent';
  if (discountType === 'fixed' && !Number.isInteger(discountValue)) fields.discountValue = 'Whole pence only';
  if (usageLimit !== null && !(Number.isInteger(usageLimit) && usageLimit > 0)) {
    fields.usageLimit = 'At least one use, or no limit';
  }
  if (!(Date.parse(terms.validUntil) > Date.parse(terms.validFrom))) {
    fields.validUntil = 'It has to end after it begins';
  }
  return Object.keys(fields).length > 0 ? badInput(fields) : undefined;
};

export const promotion: Aggregate<PromotionState, PromotionCommand, PromotionEvent> = {
  name: 'promotion',
  shown: shownOf,
  initial,
  evolve,
  decide,
  snapshot: { version: 2, every: 2000, toJSON, fromJSON },
};
