import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** The terms of a promotion. Each edit records all of them. */
export interface PromotionTerms {
  readonly name: string;
  readonly description: string;
  readonly discountType: 'percentage' | 'fixed';
  /** In percent (0 to 100, up to two places) or in pence, by `discountType`. A fixed discount applies once for each booking. */
  readonly discountValue: number;
  /** How many bookings may use it; null for no limit. */
  readonly usageLimit: number | null;
  /** ISO instants. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly isActive: boolean;
}

/** The events of `promotion-{id}`. A use is reserved when a checkout is opened, then redeemed or released; one of an event that is called off is returned. */
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
  /** If not `reserved`, a late payment redeemed a use that had been released: a paid purchase is never refused for its code. */
  UseRedeemed: defineEvent<{ promotionId: number; attempt: string; bookingId: number; reserved: boolean }>()({
    audit: null,
    work: false,
  }),
  /** If not `reserved`, the attempt had reserved nothing: the event only makes a late reservation be refused. */
  UseReleased: defineEvent<{ promotionId: number; attempt: string; reserved: boolean }>()({
    version: 2,
    upcast: { 1: (data: object) => ({ ...data, reserved: true }) },
    audit: null,
    work: false,
  }),
  /** The booking's event was called off. `counted`: as what the use counted until then; null if it did not. It never counts again. */
  UseReturned: defineEvent<{
    promotionId: number;
    attempt: string;
    bookingId: number;
    counted: 'reserved' | 'redeemed' | null;
  }>()({ audit: null, work: false }),
};
export type PromotionEvent = EventOf<typeof promotionEvents>;

/** The events of `promo-code-{CODE}`, which keep a code unique. */
export const promoCodeEvents = {
  CodeTaken: defineEvent<{ promotionId: number }>()({ audit: null, work: false }),
  CodeReleased: defineEvent<{ promotionId: number }>()({ audit: null, work: false }),
};
export type PromoCodeEvent = EventOf<typeof promoCodeEvents>;
