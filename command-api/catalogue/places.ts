import type { CityRequest, VenueRequest } from '#domain/contracts/admin-places.ts';
import { city } from '#domain/place/city.ts';
import type { CityDetails } from '#domain/place/events.ts';
import { venue } from '#domain/place/venue.ts';
import { HOME_ZONE } from '#domain/zone.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { accepted, HttpError } from '#infra/http/errors.ts';
import type { CatalogueDeps } from './deps.ts';

/** What a change to the catalogue answers: which, and how far the log was. */
export interface Changed {
  readonly id: number;
  readonly position: Position;
}

const detailsOf = ({ name, state, country, zone = HOME_ZONE }: CityRequest): CityDetails => ({
  name,
  state,
  country,
  zone,
});

/** Adds a city. @throws HttpError BAD_INPUT for an unknown zone */
export const addCity = async (
  deps: CatalogueDeps,
  request: CityRequest,
  context: Context,
): Promise<Changed> => {
  const id = await deps.ids.next('city');
  const command = { type: 'AddCity', cityId: id, ...detailsOf(request) } as const;
  const { position } = accepted(await deps.lane.execute(city, id, command, context));
  return { id, position };
};

/** Edits a city; a zone that isn't given stays. @throws HttpError NOT_FOUND, BAD_INPUT */
export const editCity = async (
  { lane }: CatalogueDeps,
  id: number,
  request: CityRequest,
  context: Context,
): Promise<Changed> => {
  const { state } = await lane.state(city, id);
  const zone = request.zone ?? state.details?.zone ?? HOME_ZONE;
  const command = { type: 'EditCity', ...detailsOf({ ...request, zone }) } as const;
  const { position } = accepted(await lane.execute(city, id, command, context));
  return { id, position };
};

/** The city as its own stream tells it. @throws HttpError BAD_INPUT when there is none, or no longer */
export const cityInUse = async ({ lane }: Pick<CatalogueDeps, 'lane'>, id: number): Promise<CityDetails> => {
  const { state } = await lane.state(city, id);
  if (state.details && !state.archived) return state.details;
  const message = 'City selection is required';
  throw new HttpError('BAD_INPUT', { fields: { cityId: message }, errors: [message] }, { message });
};

/** Adds a venue to a city. @throws HttpError BAD_INPUT when there is no such city */
export const addVenue = async (
  deps: CatalogueDeps,
  request: VenueRequest,
  context: Context,
): Promise<Changed> => {
  await cityInUse(deps, request.cityId);
  const id = await deps.ids.next('venue');
  const command = { type: 'AddVenue', venueId: id, ...request } as const;
  const { position } = accepted(await deps.lane.execute(venue, id, command, context));
  return { id, position };
};
