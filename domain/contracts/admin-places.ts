import * as z from 'zod/mini';
import { isZone } from '#domain/place/city-zone.ts';
import { call } from './call.ts';
import { crudCalls } from './crud.ts';
import { id, idText, LARGEST_CAPACITY, LONGEST, missingOr, since, text } from './fields.ts';

export const cityRequest = z.strictObject({
  name: text(LONGEST.name, 'City name is required'),
  state: text(LONGEST.name, 'State is required'),
  country: text(LONGEST.name, 'Country is required'),
  /** Default: Europe/London. */
  zone: z.optional(text(LONGEST.name).check(z.refine(isZone, 'Not a time zone'))),
});
export const editCityRequest = z.extend(cityRequest, since());
export type CityRequest = z.infer<typeof cityRequest>;

export const adminCity = z.object({
  id: z.int(),
  name: z.string(),
  state: z.string(),
  country: z.string(),
  zone: z.string(),
  revision: z.string(),
});
export type AdminCity = z.infer<typeof adminCity>;

const badCapacity = 'Capacity must be a positive integer';

export const venueRequest = z.strictObject({
  name: text(LONGEST.name, 'Venue name is required'),
  address: text(500, 'Address is required'),
  cityId: id('City is required'),
  capacity: z
    .int({ error: missingOr('Capacity is required', badCapacity) })
    .check(z.minimum(1, badCapacity), z.maximum(LARGEST_CAPACITY, 'Capacity must be at most 1,000,000')),
});
export const editVenueRequest = z.extend(venueRequest, since());
export type VenueRequest = z.infer<typeof venueRequest>;

export const adminVenue = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  cityId: z.int(),
  city: z.string(),
  capacity: z.int(),
  revision: z.string(),
});
export type AdminVenue = z.infer<typeof adminVenue>;

/** Unique by name, state and country (`NAME_TAKEN`). `remove` fails with `IN_USE` while the city has venues. */
export const adminCityCalls = {
  ...crudCalls('/api/admin/cities', {
    request: cityRequest,
    item: adminCity,
    sorts: ['name', 'state', 'country'],
    id: idText(),
  }),
};

/** `remove` and a move to another city fail with `IN_USE` while the venue has events. */
export const adminVenueCalls = {
  ...crudCalls('/api/admin/venues', {
    request: venueRequest,
    item: adminVenue,
    sorts: ['name', 'city', 'capacity'],
    id: idText(),
  }),
  ofCity: call('GET /api/admin/venues/by-city/{cityId}', {
    params: z.object({ cityId: idText() }),
    answer: z.array(adminVenue),
    capability: 'administer',
  }),
};
