import * as z from 'zod/mini';
import { isZone } from '#domain/place/city-zone.ts';
import { call } from './call.ts';
import { crudCalls } from './crud.ts';
import { id, idText, LARGEST_CAPACITY, LONGEST, missingOr, since, text } from './fields.ts';

/** `/api/admin/cities*` and `/api/admin/venues*`. Texts of the superusers' specification, section 5. */

/** `POST /api/admin/cities` */
export const cityRequest = z.strictObject({
  name: text(LONGEST.name, 'City name is required'),
  state: text(LONGEST.name, 'State is required'),
  country: text(LONGEST.name, 'Country is required'),
  /** The IANA time zone, such as Europe/London, which is the default. Short names are refused. */
  zone: z.optional(text(LONGEST.name).check(z.refine(isZone, 'Not a time zone'))),
});
/** `PUT /api/admin/cities/{id}` */
export const editCityRequest = z.extend(cityRequest, since());
export type CityRequest = z.infer<typeof cityRequest>;

/** An item of `GET /api/admin/cities`. */
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

/** `POST /api/admin/venues` */
export const venueRequest = z.strictObject({
  name: text(LONGEST.name, 'Venue name is required'),
  address: text(500, 'Address is required'),
  cityId: id('City is required'),
  capacity: z
    .int({ error: missingOr('Capacity is required', badCapacity) })
    .check(z.minimum(1, badCapacity), z.maximum(LARGEST_CAPACITY, 'Capacity must be at most 1,000,000')),
});
/** `PUT /api/admin/venues/{id}` */
export const editVenueRequest = z.extend(venueRequest, since());
export type VenueRequest = z.infer<typeof venueRequest>;

/** An item of `GET /api/admin/venues` and `GET /api/admin/venues/by-city/{cityId}`. */
export const adminVenue = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  cityId: z.int(),
  /** The city's name. */
  city: z.string(),
  capacity: z.int(),
  revision: z.string(),
});
export type AdminVenue = z.infer<typeof adminVenue>;

/**
 * The calls of `/api/admin/cities`. The list is by name unless the query says otherwise, and searches name, state and country. A city with
 * another one's name, state and country is refused with `NAME_TAKEN`. `remove` is refused with `IN_USE`, and what uses it, while the city
 * has venues.
 */
export const adminCityCalls = {
  ...crudCalls('/api/admin/cities', {
    request: cityRequest,
    item: adminCity,
    sorts: ['name', 'state', 'country'],
    id: idText(),
  }),
};

/**
 * The calls of `/api/admin/venues`. The list is by name unless the query says otherwise, and searches name, address and city. While events
 * take place there, `remove` is refused with `IN_USE`, and so is an edit that moves the venue to another city.
 */
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
