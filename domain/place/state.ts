import type { CityDetails, CityEvent, VenueDetails, VenueEvent } from './events.ts';

export interface CityState {
  /** Null until it is added. */
  readonly cityId: number | null;
  readonly details: CityDetails | null;
  readonly archived: boolean;
}

export interface VenueState {
  readonly venueId: number | null;
  readonly details: VenueDetails | null;
  readonly archived: boolean;
}

export const noCity: CityState = { cityId: null, details: null, archived: false };
export const noVenue: VenueState = { venueId: null, details: null, archived: false };

export const evolveCity = (state: CityState, event: CityEvent): CityState => {
  if (event.type === 'CityArchived') return { ...state, archived: true };
  const { cityId, ...details } = event.data;
  return { ...state, cityId, details };
};

export const evolveVenue = (state: VenueState, event: VenueEvent): VenueState => {
  if (event.type === 'VenueArchived') return { ...state, archived: true };
  const { venueId, ...details } = event.data;
  return { ...state, venueId, details };
};
