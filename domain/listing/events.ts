import type { EventOf } from '#domain/kernel/event.ts';
import { defineBookingEvent, entry } from '#domain/kernel/history.ts';
import type { ListingExtras, SomeExtras } from './extras.ts';

/** `price` is in pence. The number of tickets is the inventory's. */
export interface ListingDetails {
  readonly title: string;
  /** Sanitized HTML. */
  readonly description: string;
  readonly category: string;
  readonly cityId: number;
  readonly venueId: number;
  readonly location: string;
  readonly price: number;
  /** Absolute URL, or a path on this site. */
  readonly imageUrl: string | null;
  readonly tags: readonly string[];
  readonly extras: ListingExtras;
}

export type RecordedDetails = Omit<ListingDetails, 'extras'> & { readonly extras?: SomeExtras };

/** Version 1 had the minimum age beside the other details, and four more extras in `facts`. */
const withExtras = ({
  minimumAge = null,
  facts,
  ...data
}: {
  readonly minimumAge?: number | null;
  readonly facts?: object;
}): object => ({
  ...data,
  extras: { doors: null, end: null, access: null, organiser: null, ...facts, minimumAge },
});

export interface Schedule {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:mm` */
  readonly time: string;
  /** IANA zone */
  readonly zone: string;
  /** ISO 8601, UTC */
  readonly startsAt: string;
}

/** Stream `listing-{id}`: what the site calls an "Event". */
export const listingEvents = {
  ListingCreated: defineBookingEvent<{ listingId: number; featured: boolean } & RecordedDetails & Schedule>()(
    {
      version: 2,
      upcast: { 1: withExtras },
      audit: ['create', 'event', 'Created'],
      history: null,
      work: false,
    },
  ),
  ListingEdited: defineBookingEvent<{ listingId: number; fromVenueId?: number } & RecordedDetails>()({
    version: 2,
    upcast: { 1: withExtras },
    audit: ['update', 'event', 'Details changed'],
    history: null,
    work: true,
  }),
  ListingRescheduled: defineBookingEvent<{ listingId: number; from: Schedule } & Schedule>()({
    audit: ['update', 'event', 'Moved to another time'],
    history: ({ from, ...to }, times) => {
      const [before, after] = [times.clock(from), times.clock(to)];
      return before === after
        ? entry(
            'rescheduled',
            'The event’s time zone was corrected',
            `It starts ${after} at the venue, as before`,
            'the venue',
          )
        : entry('rescheduled', 'The event was moved', `From ${before} to ${after}`, 'the venue');
    },
    work: true,
  }),
  ListingFeatured: defineBookingEvent<{ listingId: number; featured: boolean }>()({
    audit: ['update', 'event', ({ featured }) => (featured ? 'Featured' : 'No longer featured')],
    history: null,
    work: false,
  }),
  ListingActivated: defineBookingEvent<{ listingId: number }>()({
    audit: ['update', 'event', 'Activated'],
    history: null,
    work: true,
  }),
  ListingDeactivated: defineBookingEvent<{ listingId: number }>()({
    audit: ['update', 'event', 'Deactivated'],
    history: null,
    work: false,
  }),
  ListingArchived: defineBookingEvent<{ listingId: number }>()({
    audit: ['delete', 'event', 'Deleted'],
    history: null,
    work: false,
  }),
};
export type ListingEvent = EventOf<typeof listingEvents>;
