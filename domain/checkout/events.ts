import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** The price that the server has set. Amounts are in pence; `total` = `unitPrice` × `quantity` − `discount`, never below 0. */
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
  | 'too_many_holds'
  | 'erased';

/** Why a paid attempt got no tickets. */
export type Unfilled = 'sold_out' | 'sales_closed';

/** The start for events of version 1, which had none. It differs from every listing's start, so that their buyers get everything back. */
const UNKNOWN_START = '1970-01-01T00:00:00.000Z';

/** The facts of an attempt to buy, among them all its ids. They are set when it is opened. */
export interface AttemptFacts {
  readonly attempt: string;
  readonly bookingId: number;
  readonly reference: string;
  readonly userId: string;
  readonly listingId: number;
  readonly quote: Quote;
  /** The listing's start at that moment, an ISO instant. A person who held tickets when it was moved counts as an earlier buyer. */
  readonly startsAt: string;
  /** When the hold may be released, an ISO instant. */
  readonly until: string;
}

/** The events of `checkout-{userId}-{listingId}`, the process manager of a person's purchase. */
export const checkoutEvents = {
  CheckoutOpened: {
    ...plain<AttemptFacts>(2),
    upcast: { 1: (data: object) => ({ ...data, startsAt: UNKNOWN_START }) },
  },
  IntentAttached: plain<{ attempt: string; intentId: string; amount: number }>(),
  /** The provider has the money. `late` means after `CheckoutClosing`. `intentId` is null if there was nothing to pay. */
  PaymentReceived: plain<{ attempt: string; intentId: string | null; amount: number; late: boolean }>(),
  /** The first step of undoing an attempt. After it only a late payment can still complete the attempt. */
  CheckoutClosing: plain<{ attempt: string; why: ClosingReason }>(),
  CheckoutClosed: plain<{ attempt: string; why: ClosingReason }>(),
  /** Written if a promotion had to be redeemed, or before the person's next attempt. */
  CheckoutCompleted: plain<{ attempt: string; bookingId: number }>(),
  /** It was paid, but no ticket was left: everything is paid back. */
  CheckoutUnfilled: plain<{ attempt: string; bookingId: number; why: Unfilled }>(),
};
export type CheckoutEvent = EventOf<typeof checkoutEvents>;
