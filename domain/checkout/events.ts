import { type EventOf, plain } from '#domain/personal.ts';

/** What the server asks for. All amounts in pence; `total` = `unitPrice` × `quantity` − `discount`, never below 0. */
export interface Quote {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly discount: number;
  readonly total: number;
  readonly currency: 'gbp';
  readonly promotion: { readonly promotionId: number; readonly code: string } | null;
}

/** Why an attempt ends without a booking. */
export type ClosingReason =
  | 'expired'
  | 'repriced'
  | 'abandoned'
  | 'sold_out'
  | 'sales_closed'
  | 'promotion_refused'
  | 'payment_refused'
  | 'erased';

/** Why a paid attempt got no tickets. */
export type Unfilled = 'sold_out' | 'sales_closed';

/** What an older event says, whose buyer then gets all back: unlike any listing's start. */
const UNKNOWN_START = '1970-01-01T00:00:00.000Z';

/** Events of `checkout-{userId}-{listingId}`: the process manager of one person's purchase. */
export const checkoutEvents = {
  /**
   * All ids of the attempt are allocated here. ISO instants: `startsAt` as the listing said, so that whoever held tickets when it
   * was moved counts as an earlier buyer; `until`, when the hold may be released.
   */
  CheckoutOpened: {
    ...plain<{
      attempt: string;
      bookingId: number;
      reference: string;
      userId: string;
      listingId: number;
      quote: Quote;
      startsAt: string;
      until: string;
    }>(2),
    upcast: { 1: (data: object) => ({ ...data, startsAt: UNKNOWN_START }) },
  },
  IntentAttached: plain<{ attempt: string; intentId: string; amount: number }>(),
  /** The provider said so. `late`: after `CheckoutClosing`. `intentId` is null when nothing was left to pay. */
  PaymentReceived: plain<{ attempt: string; intentId: string | null; amount: number; late: boolean }>(),
  /** Comes first of all that undoes an attempt: from here nothing of it may be completed, but by late money. */
  CheckoutClosing: plain<{ attempt: string; why: ClosingReason }>(),
  CheckoutClosed: plain<{ attempt: string; why: ClosingReason }>(),
  /** Written where something was left to complete (a promotion), or before the person's next attempt. */
  CheckoutCompleted: plain<{ attempt: string; bookingId: number }>(),
  /** Paid, but no ticket was left: the money goes back in full. */
  CheckoutUnfilled: plain<{ attempt: string; bookingId: number; why: Unfilled }>(),
};
export type CheckoutEvent = EventOf<typeof checkoutEvents>;
