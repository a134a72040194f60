import { Set as ImmutableSet } from 'immutable';
import type { Shown } from '#domain/kernel/revision.ts';
import type { PromotionEvent, PromotionTerms } from './events.ts';

export interface PromotionState {
  /** Null until it is created. */
  readonly promotionId: number | null;
  readonly code: string;
  readonly terms: PromotionTerms | null;
  readonly archived: boolean;
  /** Attempts that have reserved a use and are open. */
  readonly reserved: ImmutableSet<string>;
  /** Attempts that became bookings. */
  readonly redeemed: ImmutableSet<string>;
  /** Attempts that have ended. A reservation that arrives after its release is refused. */
  readonly released: ImmutableSet<string>;
  /** Attempts whose bookings' event was called off. They never count again, even if they are redeemed later. */
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

/** Takes nearly O(1) for an event and keeps the former state valid: the stream of a popular code has tens of thousands of events. */
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

/** What the form of a promotion shows. */
export const shownOf = ({ code, terms }: Pick<PromotionState, 'code' | 'terms'>): Shown => ({
  code,
  ...(terms && termsOf(terms)),
});

/** How many uses count for `usageLimit`: bookings whose event was not called off, and open checkouts. Late payments may bring it above the limit. */
export const uses = ({ reserved, redeemed }: PromotionState): number => reserved.size + redeemed.size;
