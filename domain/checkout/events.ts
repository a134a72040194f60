import type { EventOf } from '#domain/kernel/event.ts';
import { countTickets, defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { saidOf } from '#domain/kernel/said-of.ts';

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

const CLOSINGS: Readonly<Record<ClosingReason, string>> = {
  expired: 'The time to pay ran out.',
  repriced: 'You changed your order.',
  abandoned: 'You left the checkout.',
  sold_out: 'No tickets were left.',
  sales_closed: 'Sales had closed.',
  promotion_refused: 'The promo code could not be used.',
  payment_refused: 'The payment was refused.',
  too_many_holds: 'You held tickets for too many other events.',
  erased: 'The account was deleted.',
};

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
  CheckoutOpened: defineBookingEvent<AttemptFacts>()({
    version: 2,
    upcast: { 1: (data: object) => ({ ...data, startsAt: UNKNOWN_START }) },
    audit: null,
    history: ({ quote, until }, times) =>
      entry('held', `${countTickets(quote.quantity)} held`, `For you until ${times.instant(until)}`, 'you'),
    work: true,
  }),
  IntentAttached: defineBookingEvent<{ attempt: string; intentId: string; amount: number }>()({
    audit: null,
    history: null,
    work: false,
  }),
  /** The provider has the money. `late` means after `CheckoutClosing`. `intentId` is null if there was nothing to pay. */
  PaymentReceived: defineBookingEvent<{
    attempt: string;
    intentId: string | null;
    amount: number;
    late: boolean;
  }>()({
    audit: null,
    history: ({ amount, late }) =>
      amount === 0
        ? entry('paid', 'Nothing to pay', null, 'you')
        : entry(
            'paid',
            `${toPounds(amount)} paid`,
            late ? 'After the held tickets had been released' : 'By card',
            'you',
          ),
    work: true,
  }),
  /** The first step of undoing an attempt. After it only a late payment can still complete the attempt. */
  CheckoutClosing: defineBookingEvent<{ attempt: string; why: ClosingReason }>()({
    audit: null,
    history: ({ why }) => entry('released', 'Held tickets released', saidOf(CLOSINGS, why)),
    work: true,
  }),
  CheckoutClosed: defineBookingEvent<{ attempt: string; why: ClosingReason }>()({
    audit: null,
    history: null,
    work: true,
  }),
  /** Written if a promotion had to be redeemed, or before the person's next attempt. */
  CheckoutCompleted: defineBookingEvent<{ attempt: string; bookingId: number }>()({
    audit: null,
    history: null,
    work: true,
  }),
  /** It was paid, but no ticket was left: everything is paid back. */
  CheckoutUnfilled: defineBookingEvent<{ attempt: string; bookingId: number; why: Unfilled }>()({
    audit: null,
    history: null,
    work: true,
  }),
};
export type CheckoutEvent = EventOf<typeof checkoutEvents>;
