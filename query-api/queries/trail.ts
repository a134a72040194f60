/** The trail of a booking: its whole history in words for its customer, read from the log itself. */
import type { AdmissionEvent } from '#domain/admission/events.ts';
import type { AccessEvent, BookingEvent } from '#domain/booking/events.ts';
import type { CancelledBy } from '#domain/booking/quote.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent, ClosingReason, Unfilled } from '#domain/checkout/events.ts';
import type { TrailEntry } from '#domain/contracts/bookings.ts';
import type { DisputeEvent } from '#domain/dispute/events.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import { toPounds } from '#domain/kernel/money.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { saidOf } from '#domain/kernel/said-of.ts';
import { sayInstant, sayWhen, yearAt } from '#domain/kernel/zone.ts';
import type { ListingEvent } from '#domain/listing/events.ts';
import { listing } from '#domain/listing/listing.ts';
import { streamsOf } from '#domain/processes/booking-streams.ts';
import type { RefundEvent } from '#domain/refund/events.ts';
import { sayFailure, sayParts } from '#domain/refund/state.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { BookingMail } from '#infra/mail/mailer.ts';
import { sayTurnedAway } from './scans.ts';

type TrailEvent =
  | CheckoutEvent
  | BookingEvent
  | RefundEvent
  | AdmissionEvent
  | AccessEvent
  | DisputeEvent
  | ListingEvent;

/** What is known of the booking: where its events are, and which of them are its own. Times are told in `zone`. */
export interface TrailOf {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly zone: string;
  /** Who did what nobody else did. */
  readonly siteName: string;
}

/** Stands for the site's name. */
const SITE = Symbol('the site');

const tickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);

/** By kind of mail; the log keeps that as text, so it may hold one that is sent no more. Mails about accounts are not in the log. */
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

const UNFILLED: Readonly<Record<Unfilled, string>> = {
  sold_out: 'No tickets left',
  sales_closed: 'Sales had closed',
};

const CANCELLED_BY: Readonly<Record<CancelledBy, Line['by']>> = {
  customer: 'you',
  admin: SITE,
  'listing-archived': 'the venue',
  'account-erased': 'you',
  'account-removed': SITE,
};

interface Line extends Pick<TrailEntry, 'kind' | 'title' | 'detail'> {
  readonly by: TrailEntry['by'] | typeof SITE;
}

const line = (
  kind: Line['kind'],
  title: string,
  detail: string | null = null,
  by: Line['by'] = SITE,
): Line => ({
  kind,
  title,
  detail,
  by,
});

/** One event in words; null for what says nothing to a customer. Each type of event is named, so that a new one doesn't compile without an answer. */
const inWords = ({ event, meta }: Recorded<TrailEvent>, trail: TrailOf): Line | null => {
  // The entry's own date stands beside it.
  const thisYear = yearAt(meta.at);
  const at = (instant: string): string => sayInstant(instant, trail.zone, thisYear);
  switch (event.type) {
    case 'CheckoutOpened': {
      const { quote, until } = event.data;
      return line('held', `${tickets(quote.quantity)} held`, `For you until ${at(until)}`, 'you');
    }
    case 'CheckoutClosing':
      return line('released', 'Held tickets released', saidOf(CLOSINGS, event.data.why));
    case 'PaymentReceived': {
      const { amount, late } = event.data;
      if (amount === 0) return line('paid', 'Nothing to pay', null, 'you');
      return line(
        'paid',
        `${toPounds(amount)} paid`,
        late ? 'After the held tickets had been released' : 'By card',
        'you',
      );
    }
    case 'BookingPlaced':
      return line(
        'booked',
        `Booked: ${tickets(event.data.quote.quantity)}`,
        `Reference ${event.data.reference}`,
        'you',
      );
    case 'BookingUnfilled':
      return line(
        'unfilled',
        saidOf(UNFILLED, event.data.why) ?? 'Not booked',
        'Your payment goes back to you in full.',
      );
    case 'MailSent':
      return line('mailed', MAILS[event.data.kind] ?? 'Mail sent');
    case 'TicketDownloaded':
      return line('downloaded', 'Tickets downloaded', null, 'you');
    case 'Admitted':
      return line('scanned', `Admitted ${event.data.quantity}`, event.data.gate, 'door staff');
    case 'AdmittedInConflict':
      return line(
        'scanned',
        `Let in again: ${event.data.quantity}`,
        'By a gate without a network',
        'door staff',
      );
    case 'ReEntryRefused':
      return line('refused', 'Shown again and refused', event.data.gate, 'door staff');
    case 'EntryRefused':
      return line('refused', 'Shown at the door and refused', sayTurnedAway(event.data.why), 'door staff');
    case 'AdmissionUndone':
      return line('scan-undone', 'Admission undone', orElse(event.data.reason, '(deleted)'), 'door staff');
    case 'ListingRescheduled': {
      const [from, to] = [sayWhen(event.data.from, thisYear), sayWhen(event.data, thisYear)];
      return from === to
        ? line(
            'rescheduled',
            'The event’s time zone was corrected',
            `It starts ${to} at the venue, as before`,
            'the venue',
          )
        : line('rescheduled', 'The event was moved', `From ${from} to ${to}`, 'the venue');
    }
    case 'BookingCancelled': {
      const { reason, percent, refund, by } = event.data;
      const back = refund > 0 ? `${percent}% back: ${toPounds(refund)}. ` : 'Nothing is paid back. ';
      return line(
        'cancelled',
        'Booking cancelled',
        back + orElse(reason, '(deleted)'),
        saidOf(CANCELLED_BY, by),
      );
    }
    case 'BookingReinstated':
      return line('reinstated', 'Booking made good again');
    case 'TicketReissued':
      return line('reissued', 'Tickets reissued', 'Older codes no longer work.');
    case 'RefundRequested':
      return line('refund-requested', `Refund of ${toPounds(event.data.amount)} requested`);
    case 'RefundApproved': {
      const { amount, by } = event.data;
      return line(
        'refund-approved',
        `Refund of ${toPounds(amount)} approved`,
        // A superuser's notes on an approval are for colleagues.
        by === 'rule' ? 'Under the refund policy' : null,
      );
    }
    case 'RefundDenied':
      return line('refund-denied', 'Refund denied', orElse(event.data.reason, '(deleted)'));
    case 'RefundReset':
      return line('refund-reset', 'Refund under review again');
    case 'RefundSubmitted':
      return line('refund-submitted', `Refund of ${toPounds(event.data.amount)} sent to your bank`);
    case 'RefundFailed': {
      return line('refund-failed', 'Refund not taken by your bank', sayFailure(event.data.attempt));
    }
    case 'RefundSucceeded': {
      const { amount } = event.data;
      const apart = sayParts(event.data);
      const detail = ['Banks take 5-10 business days to show it.', ...(apart ? [apart] : [])].join(' ');
      return line('refunded', `${toPounds(amount)} refunded`, detail);
    }
    case 'DisputeOpened':
      return line(
        'disputed',
        `Payment of ${toPounds(event.data.amount)} disputed`,
        event.data.inquiry
          ? 'The card’s bank has asked us about it.'
          : 'The card’s bank holds it back until that is settled.',
        'the card’s bank',
      );
    case 'DisputeClosed':
      return line(
        'disputed',
        event.data.outcome === 'won'
          ? 'Dispute settled: the payment stands'
          : 'Dispute settled: the payment went back',
        null,
        'the card’s bank',
      );
    case 'IntentAttached':
    case 'CheckoutClosed':
    case 'CheckoutCompleted':
    case 'CheckoutUnfilled':
    case 'BookingRefunded':
    case 'AdmissionVoided':
    case 'AdmissionRestored':
    case 'AdmissionSuspended':
    case 'AdmissionResumed':
    case 'ListingCreated':
    case 'ListingEdited':
    case 'ListingFeatured':
    case 'ListingActivated':
    case 'ListingDeactivated':
    case 'ListingArchived':
      return null;
  }
};

/** The events with which a booking begins. */
const BEGINNINGS: ReadonlySet<TrailEvent['type']> = new Set(['BookingPlaced', 'BookingUnfilled']);

/** Those events of the streams that are about this booking: not of another attempt, nor of the listing before it was booked. */
const partsOf = (events: readonly Recorded<TrailEvent>[], trail: TrailOf): Recorded<TrailEvent>[] => {
  // By their order: a clock may be put back between them.
  const begun = events.findIndex(({ event }) => BEGINNINGS.has(event.type));
  return events.filter(({ event }, index) => {
    if ('attempt' in event.data && typeof event.data.attempt === 'string')
      return event.data.attempt === trail.attempt;
    return event.type !== 'ListingRescheduled' || (begun >= 0 && index > begun);
  });
};

/** As much of a stream as is read, the newest first: somebody may try to pay, or download, a thousand times. */
const NEWEST = { backwards: true, limit: 500 } as const;

/** Reads a booking's trail, oldest first. */
export const readTrail = async (log: EventLog, codec: Codec, trail: TrailOf): Promise<TrailEntry[]> => {
  const streams = [
    streamOf(checkout, checkoutId(trail.userId, trail.listingId)),
    ...streamsOf(trail.bookingId),
    streamOf(listing, trail.listingId),
  ];
  const histories = await Promise.all(
    streams.map(async (stream) => {
      const records: RecordedEvent[] = [];
      for await (const record of log.readStream(stream, NEWEST)) records.push(record);
      return records;
    }),
  );
  const records = histories.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
  const events = await codec.decode<TrailEvent>(records);
  return partsOf(events, trail).flatMap((recorded) => {
    const said = inWords(recorded, trail);
    return said ? [{ at: recorded.meta.at, ...said, by: said.by === SITE ? trail.siteName : said.by }] : [];
  });
};
