import type { CityDetails, CityEvent, VenueDetails, VenueEvent } from './events.ts';

/** The state of a city. */
export interface CityState {
  /** Null until it is added. */
  readonly cityId: number | null;
  readonly details: CityDetails | null;
  readonly archived: boolean;
}

/** The state of a venue. */
export interface VenueState {
  readonly venueId: number | null;
  readonly details: VenueDetails | null;
  readonly archived: boolean;
}

/** What still uses a city, venue, category or image, as the answer 409 `IN_USE` lists it. It is read from a read model: the only decision that may. */
export interface Use {
  /** `event`, `venue`, `setting`, or the name of an aggregate that is a document. */
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

export const noCity: CityState = { cityId: null, details: null, archived: false };
export const noVenue: VenueState = { venueId: null, details: null, archived: false };

export const evolveCity = (state: CityState, event: CityEvent): CityState => {
  if (event.type === 'CityArchived') return { ...state, archived: true };
  const { cityId, ...details } = event.data;
  return { cityId, details, archived: false };
};

export const evolveVenue = (state: VenueState, event: VenueEvent): VenueState => {
  if (event.type === 'VenueArchived') return { ...state, archived: true };
  const { venueId, ...details } = event.data;
  return { venueId, details, archived: false };
};
