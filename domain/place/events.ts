import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** The details of a city. */
export interface CityDetails {
  readonly name: string;
  readonly state: string;
  readonly country: string;
  /** The IANA time zone. Usually Europe/London. */
  readonly zone: string;
}
/** The details of a venue. */
export interface VenueDetails {
  readonly name: string;
  readonly address: string;
  readonly cityId: number;
  readonly capacity: number;
}

/** The events of `city-{id}`. Cities, venues and categories are archived, never removed. */
export const cityEvents = {
  CityAdded: plain<{ cityId: number } & CityDetails>(),
  CityEdited: plain<{ cityId: number } & CityDetails>(),
  CityArchived: plain<{ cityId: number }>(),
};
export type CityEvent = EventOf<typeof cityEvents>;

/** The events of `venue-{id}`. */
export const venueEvents = {
  VenueAdded: plain<{ venueId: number } & VenueDetails>(),
  VenueEdited: plain<{ venueId: number } & VenueDetails>(),
  VenueArchived: plain<{ venueId: number }>(),
};
export type VenueEvent = EventOf<typeof venueEvents>;
