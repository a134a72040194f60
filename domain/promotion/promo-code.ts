import { type Aggregate, reject } from '#domain/kernel/decider.ts';
import type { PromoCodeEvent } from './events.ts';

export interface PromoCodeState {
  readonly promotionId: number | null;
}

export type PromoCodeCommand =
  | { readonly type: 'TakeCode'; readonly promotionId: number }
  | { readonly type: 'ReleaseCode'; readonly promotionId: number };

/** A code belongs to one promotion. Refuses with CODE_TAKEN. */
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
