import { type Aggregate, reject } from '#domain/decider.ts';
import type { PromoCodeEvent } from './events.ts';

/** Whose a code is; null: nobody's. */
export interface PromoCodeState {
  readonly promotionId: number | null;
}

export type PromoCodeCommand =
  | { readonly type: 'TakeCode'; readonly promotionId: number }
  /** When the promotion is archived or takes another code. */
  | { readonly type: 'ReleaseCode'; readonly promotionId: number };

/** One promotion a code. Refuses with CODE_TAKEN. Lives in `promo-code-{CODE}` (`promoCodeOf`). */
export const promoCode: Aggregate<PromoCodeState, PromoCodeCommand, PromoCodeEvent> = {
  name: 'promo-code',
  initial: { promotionId: null },
  evolve: (_, event) => ({ promotionId: event.type === 'CodeTaken' ? event.data.promotionId : null }),
  decide: (state, { type, promotionId }) => {
    const own = state.promotionId === promotionId;
    if (type === 'ReleaseCode') return own ? [{ type: 'CodeReleased', data: { promotionId } }] : [];
    if (own) return [];
    return state.promotionId === null ? [{ type: 'CodeTaken', data: { promotionId } }] : reject('CODE_TAKEN');
  },
};
