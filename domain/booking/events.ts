import type { Quote, Unfilled } from '#domain/checkout/events.ts';
import type { BookingMail } from '#domain/content/site-mails.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import { countTickets, defineBookingEvent, entry } from '#domain/kernel/history.ts';
import { lookup } from '#domain/kernel/lookup.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { orElse, type Personal } from '#domain/kernel/personal.ts';
import type { RefundPolicy } from '#domain/kernel/policy.ts';

export interface BookingFacts {
  readonly bookingId: number;
  readonly reference: string;
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly quote: Quote;
  readonly intentId: string | null;
  readonly policy: RefundPolicy;
  /** The start when the checkout was opened, an ISO instant. */
  readonly startsAt: string;
}

export type CancelledBy = 'customer' | 'admin' | 'listing-archived' | 'account-erased' | 'account-removed';

const CANCELLED_BY: Readonly<Record<CancelledBy, string | null>> = {
  customer: 'you',
  admin: null,
  'listing-archived': 'the venue',
  'account-erased': 'you',
  'account-removed': null,
};

const UNFILLED: Readonly<Record<Unfilled, string>> = {
  sold_out: 'No tickets left',
  sales_closed: 'Sales had closed',
};

export const bookingEvents = {
  BookingPlaced: defineBookingEvent<BookingFacts>()({
    audit: null,
    history: ({ quote, reference }) =>
      entry('booked', `Booked: ${countTickets(quote.quantity)}`, `Reference ${reference}`, 'you'),
    work: true,
  }),
  BookingUnfilled: defineBookingEvent<BookingFacts & { why: Unfilled }>()({
    audit: null,
    history: ({ why }) =>
      entry('unfilled', lookup(UNFILLED, why) ?? 'Not booked', 'Your payment goes back to you in full.'),
    work: true,
  }),
  /** `refund` is in pence, `percent` from the policy. */
  BookingCancelled: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    quantity: number;
    by: CancelledBy;
    reason: Personal<string>;
    refund: number;
    percent: number;
  }>()({
    sealed: ['reason'],
    person: (data) => data.userId,
    audit: ['update', 'booking', 'Cancelled'],
    history: ({ reason, percent, refund, by }) => {
      const back = refund > 0 ? `${percent}% back: ${toPounds(refund)}. ` : 'Nothing is paid back. ';
      return entry(
        'cancelled',
        'Booking cancelled',
        back + orElse(reason, '(deleted)'),
        lookup(CANCELLED_BY, by),
      );
    },
    work: true,
  }),
  BookingReinstated: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    quantity: number;
  }>()({
    audit: ['update', 'booking', 'Reinstated'],
    history: () => entry('reinstated', 'Booking made good again'),
    work: true,
  }),
  /** Final. */
  BookingRefunded: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    amount: number;
  }>()({
    audit: null,
    history: null,
    work: false,
  }),
  TicketReissued: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    epoch: number;
  }>()({
    audit: ['update', 'booking', 'Ticket reissued'],
    history: () => entry('reissued', 'Tickets reissued', 'Older codes no longer work.'),
    work: true,
  }),
  /** For colleagues. Customers read it in the export of their data only. */
  BookingNoted: defineBookingEvent<{
    bookingId: number;
    userId: string;
    listingId: number;
    note: Personal<string>;
  }>()({
    sealed: ['note'],
    person: (data) => data.userId,
    audit: ['update', 'booking', 'Note added'],
    history: null,
    work: false,
  }),
};
export type BookingEvent = EventOf<typeof bookingEvents>;

/** The log may hold obsolete kinds; account mails are not logged. */
const MAILS: Readonly<Partial<Record<string, string>>> = {
  'booking-confirmation': 'Confirmation with your tickets sent',
  'booking-reinstated': 'Your tickets sent again',
  'ticket-reissued': 'Your new tickets sent',
  'event-moved': 'News of the change sent, with your tickets',
  'event-reminder': 'Reminder sent, with your tickets',
  'booking-unfilled': 'We told you that your payment goes back',
  'booking-cancelled': 'Cancellation notice sent',
  'refund-completed': 'Refund notice sent',
  'refund-denied': 'Refund decision sent',
} satisfies Record<BookingMail, string>;

/** No rule depends on these events. */
export const accessEvents = {
  TicketDownloaded: defineBookingEvent<{ bookingId: number; userId: string }>()({
    audit: null,
    history: () => entry('downloaded', 'Tickets downloaded', null, 'you'),
    work: false,
  }),
  MailSent: defineBookingEvent<{ bookingId: number; userId: string; kind: string }>()({
    audit: null,
    history: ({ kind }) => entry('mailed', MAILS[kind] ?? 'Mail sent'),
    work: false,
  }),
};
export type AccessEvent = EventOf<typeof accessEvents>;
