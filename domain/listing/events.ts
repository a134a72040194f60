import { type EventOf, plain } from '#domain/kernel/personal.ts';
import type { ListingFacts } from './facts.ts';

/** The details of a listing. `price` is in pence. The number of tickets belongs to the inventory. */
export interface ListingDetails {
  readonly title: string;
  /** HTML, already sanitized. */
  readonly description: string;
  /** A category's slug. */
  readonly category: string;
  readonly cityId: number;
  readonly venueId: number;
  /** The full address. */
  readonly location: string;
  readonly price: number;
  /** An absolute URL, or a path on this site. */
  readonly imageUrl: string | null;
  readonly tags: readonly string[];
  /** How old, in years, everybody must be on the day; null or missing if there is no such rule. */
  readonly minimumAge?: number | null;
  readonly facts?: ListingFacts;
}

/** When a listing starts: date and time at the venue, and the instant that was computed from them. */
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

/** The events of `listing-{id}`, the catalogue entry that the site calls an "Event". */
export const listingEvents = {
  ListingCreated: plain<{ listingId: number; featured: boolean } & ListingDetails & Schedule>(),
  /** `fromVenueId` is the venue that it left, if it did. */
  ListingEdited: plain<{ listingId: number; fromVenueId?: number } & ListingDetails>(),
  ListingRescheduled: plain<{ listingId: number; from: Schedule } & Schedule>(),
  ListingFeatured: plain<{ listingId: number; featured: boolean }>(),
  ListingActivated: plain<{ listingId: number }>(),
  ListingDeactivated: plain<{ listingId: number }>(),
  ListingArchived: plain<{ listingId: number }>(),
};
export type ListingEvent = EventOf<typeof listingEvents>;
