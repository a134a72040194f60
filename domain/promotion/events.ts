import { type EventOf, plain } from '#domain/personal.ts';

/** What a promotion gives, when, and how often. Snapshotted in whole by each edit. */
export interface PromotionTerms {
  readonly name: string;
  readonly description: string;
  readonly discountType: 'percentage' | 'fixed';
  /** Percent (0–100, up to two places) or pence, by `discountType`. A fixed discount applies once a booking. */
  readonly discountValue: number;
  /** Counts bookings; null: no limit. */
  readonly usageLimit: number | null;
  /** ISO instants. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly isActive: boolean;
}

/** Events of `promotion-{id}`: a use is reserved with the checkout, then redeemed or released. */
export const promotionEvents = {
  PromotionCreated: plain<{ promotionId: number; code: string } & PromotionTerms>(),
  PromotionEdited: plain<{ promotionId: number; code: string } & PromotionTerms>(),
  PromotionArchived: plain<{ promotionId: number }>(),
  UseReserved: plain<{ promotionId: number; attempt: string; at: string }>(),
  /** `reserved` false: late money redeemed a use that had been released; it never blocks a paid completion. */
  UseRedeemed: plain<{ promotionId: number; attempt: string; bookingId: number; reserved: boolean }>(),
  /** `reserved` false: the attempt had reserved nothing, and the release only keeps a late reservation out. */
  UseReleased: {
    ...plain<{ promotionId: number; attempt: string; reserved: boolean }>(2),
    upcast: { 1: (data: object) => ({ ...data, reserved: true }) },
  },
};
export type PromotionEvent = EventOf<typeof promotionEvents>;

/** Events of `promo-code-{CODE}`: the code's uniqueness. */
export const promoCodeEvents = {
  CodeTaken: plain<{ promotionId: number }>(),
  CodeReleased: plain<{ promotionId: number }>(),
};
export type PromoCodeEvent = EventOf<typeof promoCodeEvents>;
