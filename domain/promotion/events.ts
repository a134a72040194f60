import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export interface PromotionTerms {
  readonly name: string;
  readonly description: string;
  readonly discountType: 'percentage' | 'fixed';
  /** Percent with at most two decimals, or pence. */
  readonly discountValue: number;
  /** Bookings; null for no limit. */
  readonly usageLimit: number | null;
  /** ISO instants. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly isActive: boolean;
}

/** Stream `promotion-{id}`. A use is reserved when a checkout opens, then redeemed or released. */
export const promotionEvents = {
  PromotionCreated: defineEvent<{ promotionId: number; code: string } & PromotionTerms>()({
    audit: ['create', 'promotion', 'Created'],
    work: false,
  }),
  PromotionEdited: defineEvent<{ promotionId: number; code: string } & PromotionTerms>()({
    audit: ['update', 'promotion', 'Edited'],
    work: false,
  }),
  PromotionArchived: defineEvent<{ promotionId: number }>()({
    audit: ['delete', 'promotion', 'Deleted'],
    work: false,
  }),
  UseReserved: defineEvent<{ promotionId: number; attempt: string; at: string }>()({
    audit: null,
    work: false,
  }),
  /** `reserved` is false if a late payment redeemed a released use. */
  UseRedeemed: defineEvent<{ promotionId: number; attempt: string; bookingId: number; reserved: boolean }>()({
    audit: null,
    work: false,
  }),
  /** Unless `reserved`, it only makes a late reservation fail. */
  UseReleased: defineEvent<{ promotionId: number; attempt: string; reserved: boolean }>()({
    version: 2,
    upcast: { 1: (data: object) => ({ ...data, reserved: true }) },
    audit: null,
    work: false,
  }),
  /** `counted`: how the use counted; null if it did not. It never counts again. */
  UseReturned: defineEvent<{
    promotionId: number;
    attempt: string;
    bookingId: number;
    counted: 'reserved' | 'redeemed' | null;
  }>()({ audit: null, work: false }),
};
export type PromotionEvent = EventOf<typeof promotionEvents>;

export const promoCodeEvents = {
  CodeTaken: defineEvent<{ promotionId: number }>()({ audit: null, work: false }),
  CodeReleased: defineEvent<{ promotionId: number }>()({ audit: null, work: false }),
};
export type PromoCodeEvent = EventOf<typeof promoCodeEvents>;
