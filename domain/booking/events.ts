import type { Quote, Unfilled } from '#domain/checkout/events.ts';
import { type EventOf, type Personal, plain, sealed } from '#domain/personal.ts';
import type { RefundPolicy } from '#domain/policy.ts';

/** What a booking is made of, snapshotted when it is made. */
export interface BookingFacts {
  readonly bookingId: number;
  readonly reference: string;
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly quote: Quote;
  /** The provider's payment, null when nothing was paid. */
  readonly intentId: string | null;
  readonly policy: RefundPolicy;
  /** ISO instant, as the listing said when the checkout was opened. */
  readonly startsAt: string;
}

/** Events of `booking-{id}`. */
export const bookingEvents = {
  BookingPlaced: plain<BookingFacts>(),
  /** Paid, but no ticket was left: shown as cancelled, with its refund. */
  BookingUnfilled: plain<BookingFacts & { why: Unfilled }>(),
  /** `refund` in pence; `percent` as the rule gave it. `by`: who asked. */
  BookingCancelled: sealed<{
    bookingId: number;
    userId: string;
    listingId: number;
    quantity: number;
    by: 'customer' | 'admin' | 'listing-archived' | 'account-erased';
    reason: Personal<string>;
    refund: number;
    percent: number;
  }>(['reason'], (data) => data.userId),
  /** An administrator made a cancelled booking good again. */
  BookingReinstated: plain<{ bookingId: number; userId: string; listingId: number; quantity: number }>(),
  /** Paid back: final. */
  BookingRefunded: plain<{ bookingId: number; userId: string; listingId: number; amount: number }>(),
  /** Codes of an older epoch say "reissued" from here. */
  TicketReissued: plain<{ bookingId: number; userId: string; listingId: number; epoch: number }>(),
};
export type BookingEvent = EventOf<typeof bookingEvents>;

/** Events of `access-{bookingId}`: what was done with a booking that nobody decides on. */
export const accessEvents = {
  TicketDownloaded: plain<{ bookingId: number; userId: string }>(),
  MailSent: plain<{ bookingId: number; userId: string; kind: string }>(),
};
export type AccessEvent = EventOf<typeof accessEvents>;
