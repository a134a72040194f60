import type { EventOf } from '#domain/kernel/event.ts';
import { countTickets, defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { toPounds } from '#domain/kernel/money.ts';

/** Pence; `total` = `unitPrice` × `quantity` − `discount`, never below 0. */
export interface Quote {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly discount: number;
  readonly total: number;
  readonly currency: 'gbp';
  readonly promotion: { readonly promotionId: number; readonly code: string } | null;
}

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

export type Unfilled = 'sold_out' | 'sales_closed';

/** Version 1 had no start. Differs from every listing's start, so those buyers get a full refund. */
const UNKNOWN_START = '1970-01-01T00:00:00.000Z';

export interface AttemptFacts {
  readonly attempt: string;
  readonly bookingId: number;
  readonly reference: string;
  readonly userId: string;
  readonly listingId: number;
  readonly quote: Quote;
  /** ISO instant. A person holding tickets when the listing was moved counts as an earlier buyer. */
  readonly startsAt: string;
  /** When the hold may be released, an ISO instant. */
  readonly until: string;
}

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
  /** `late`: after `CheckoutClosing`. `intentId` is null if nothing was due. */
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
  /** Only a late payment can still complete the attempt. */
  CheckoutClosing: defineBookingEvent<{ attempt: string; why: ClosingReason }>()({
    audit: null,
    history: ({ why }) => entry('released', 'Held tickets released', lookup(CLOSINGS, why)),
    work: true,
  }),
  CheckoutClosed: defineBookingEvent<{ attempt: string; why: ClosingReason }>()({
    audit: null,
    history: null,
    work: true,
  }),
  /** Written if a promotion was redeemed, or before the person's next attempt. */
  CheckoutCompleted: defineBookingEvent<{ attempt: string; bookingId: number }>()({
    audit: null,
    history: null,
    work: true,
  }),
  CheckoutUnfilled: defineBookingEvent<{ attempt: string; bookingId: number; why: Unfilled }>()({
    audit: null,
    history: null,
    work: true,
  }),
};
export type CheckoutEvent = EventOf<typeof checkoutEvents>;
