import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export interface CityDetails {
  readonly name: string;
  readonly state: string;
  readonly country: string;
  readonly zone: string;
}
export interface VenueDetails {
  readonly name: string;
  readonly address: string;
  readonly cityId: number;
  readonly capacity: number;
}

/** Stream `city-{id}`. Archived, never removed. */
export const cityEvents = {
  CityAdded: defineEvent<{ cityId: number } & CityDetails>()({
    audit: ['create', 'city', 'Added'],
    work: false,
  }),
  CityEdited: defineEvent<{ cityId: number } & CityDetails>()({
    audit: ['update', 'city', 'Edited'],
    work: false,
  }),
  CityArchived: defineEvent<{ cityId: number }>()({ audit: ['delete', 'city', 'Deleted'], work: false }),
};
export type CityEvent = EventOf<typeof cityEvents>;

export const venueEvents = {
  VenueAdded: defineEvent<{ venueId: number } & VenueDetails>()({
    audit: ['create', 'venue', 'Added'],
    work: false,
  }),
  VenueEdited: defineEvent<{ venueId: number } & VenueDetails>()({
    audit: ['update', 'venue', 'Edited'],
    work: false,
  }),
  VenueArchived: defineEvent<{ venueId: number }>()({ audit: ['delete', 'venue', 'Deleted'], work: false }),
};
export type VenueEvent = EventOf<typeof venueEvents>;
