import { Set as ImmutableSet } from 'immutable';
import type { Shown } from '#domain/kernel/revision.ts';
import type { PromotionEvent, PromotionTerms } from './events.ts';

export interface PromotionState {
  readonly promotionId: number | null;
  readonly code: string;
  readonly terms: PromotionTerms | null;
  readonly archived: boolean;
  readonly reserved: ImmutableSet<string>;
  readonly redeemed: ImmutableSet<string>;
  /** Makes a late reservation fail. */
  readonly released: ImmutableSet<string>;
  /** Never count again, even if redeemed later. */
  readonly returned: ImmutableSet<string>;
}

export const initial: PromotionState = {
  promotionId: null,
  code: '',
  terms: null,
  archived: false,
  reserved: ImmutableSet(),
  redeemed: ImmutableSet(),
  released: ImmutableSet(),
  returned: ImmutableSet(),
};

const termsOf = (data: PromotionTerms): PromotionTerms => ({
  name: data.name,
  description: data.description,
  discountType: data.discountType,
  discountValue: data.discountValue,
  usageLimit: data.usageLimit,
  validFrom: data.validFrom,
  validUntil: data.validUntil,
  isActive: data.isActive,
});

/** Nearly O(1) per event, persistent: a popular code has tens of thousands of events. */
export const evolve = (state: PromotionState, event: PromotionEvent): PromotionState => {
  switch (event.type) {
    case 'PromotionCreated':
    case 'PromotionEdited': {
      const { promotionId, code } = event.data;
      return { ...state, promotionId, code, terms: termsOf(event.data) };
    }
    case 'PromotionArchived':
      return { ...state, archived: true };
    case 'UseReserved':
      return { ...state, reserved: state.reserved.add(event.data.attempt) };
    case 'UseRedeemed': {
      const { attempt } = event.data;
      const { reserved, redeemed, released } = state;
      return {
        ...state,
        reserved: reserved.delete(attempt),
        redeemed: redeemed.add(attempt),
        released: released.delete(attempt),
      };
    }
    case 'UseReleased': {
      const { attempt } = event.data;
      return { ...state, reserved: state.reserved.delete(attempt), released: state.released.add(attempt) };
    }
    case 'UseReturned': {
      const { attempt } = event.data;
      return {
        ...state,
        reserved: state.reserved.delete(attempt),
        redeemed: state.redeemed.delete(attempt),
        returned: state.returned.add(attempt),
      };
    }
  }
};

export const shownOf = ({ code, terms }: Pick<PromotionState, 'code' | 'terms'>): Shown => ({
  code,
  ...(terms && termsOf(terms)),
});

/** Late payments may exceed `usageLimit`. */
export const uses = ({ reserved, redeemed }: PromotionState): number => reserved.size + redeemed.size;
