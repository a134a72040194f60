import type { Quote, Unfilled } from '#domain/checkout/events.ts';
import { type EventOf, type Personal, plain, sealed } from '#domain/kernel/personal.ts';
import type { RefundPolicy } from '#domain/kernel/policy.ts';

/** The facts of a booking, as they were when it was made. */
export interface BookingFacts {
  readonly bookingId: number;
  readonly reference: string;
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly quote: Quote;
  /** The provider's id of the payment; null if nothing had to be paid. */
  readonly intentId: string | null;
  readonly policy: RefundPolicy;
  /** When the event was to start when the checkout was opened, an ISO instant. */
  readonly startsAt: string;
}

/** The events of `booking-{id}`. */
export const bookingEvents = {
  BookingPlaced: plain<BookingFacts>(),
  /** It was paid, but no ticket was left. It is shown as cancelled, with its refund. */
  BookingUnfilled: plain<BookingFacts & { why: Unfilled }>(),
  /** `refund` is in pence, `percent` what the policy gave. `by` is who cancelled it: with `account-removed` a superuser, who deletes the account. */
  BookingCancelled: sealed<{
    bookingId: number;
    userId: string;
    listingId: number;
    quantity: number;
    by: 'customer' | 'admin' | 'listing-archived' | 'account-erased' | 'account-removed';
    reason: Personal<string>;
    refund: number;
    percent: number;
  }>(['reason'], (data) => data.userId),
  /** A superuser made a cancelled booking valid again. */
  BookingReinstated: plain<{ bookingId: number; userId: string; listingId: number; quantity: number }>(),
  /** It was paid back. This is final. */
  BookingRefunded: plain<{ bookingId: number; userId: string; listingId: number; amount: number }>(),
  /** From here on codes of an older epoch are refused as reissued. */
  TicketReissued: plain<{ bookingId: number; userId: string; listingId: number; epoch: number }>(),
};
export type BookingEvent = EventOf<typeof bookingEvents>;

/** The events of `access-{bookingId}`: what was done with a booking. No rule depends on them. */
export const accessEvents = {
  TicketDownloaded: plain<{ bookingId: number; userId: string }>(),
  MailSent: plain<{ bookingId: number; userId: string; kind: string }>(),
};
export type AccessEvent = EventOf<typeof accessEvents>;
