import * as z from 'zod/mini';
import { isZone } from '#domain/zone.ts';
import { call } from './call.ts';
import { id, idText, LARGEST_CAPACITY, LONGEST, text } from './fields.ts';

/** `/api/admin/cities*` and `/api/admin/venues*`. Texts of the superusers' specification, section 5. */

/** `POST /api/admin/cities`, `PUT /api/admin/cities/{id}` */
export const cityRequest = z.strictObject({
  name: text(LONGEST.name, 'City name is required'),
  state: text(LONGEST.name, 'State is required'),
  country: text(LONGEST.name, 'Country is required'),
  /** The IANA time zone. Default: Europe/London. */
  zone: z.optional(text(LONGEST.name).check(z.refine(isZone, 'Not a time zone'))),
});
export type CityRequest = z.infer<typeof cityRequest>;

/** An item of `GET /api/admin/cities`. */
export const adminCity = z.object({
  id: z.int(),
  name: z.string(),
  state: z.string(),
  country: z.string(),
  zone: z.string(),
});
export type AdminCity = z.infer<typeof adminCity>;

/** `POST /api/admin/venues`, `PUT /api/admin/venues/{id}` */
export const venueRequest = z.strictObject({
  name: text(LONGEST.name, 'Venue name is required'),
  address: text(500, 'Address is required'),
  cityId: id('City is required'),
  capacity: z
    .int('Capacity is required')
    .check(
      z.minimum(1, 'Capacity must be a positive integer'),
      z.maximum(LARGEST_CAPACITY, 'Capacity must be at most 1,000,000'),
    ),
});
export type VenueRequest = z.infer<typeof venueRequest>;

/** An item of `GET /api/admin/venues` and `GET /api/admin/venues/by-city/{cityId}`. */
export const adminVenue = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  cityId: z.int(),
  capacity: z.int(),
});
export type AdminVenue = z.infer<typeof adminVenue>;

/** The calls of `/api/admin/cities` and `/api/admin/venues`. */
export const adminPlaceCalls = {
  cities: call('GET /api/admin/cities', { answer: z.array(adminCity), capability: 'administer' }),
  venues: call('GET /api/admin/venues', { answer: z.array(adminVenue), capability: 'administer' }),
  venuesOfCity: call('GET /api/admin/venues/by-city/{cityId}', {
    params: z.object({ cityId: idText() }),
    answer: z.array(adminVenue),
    capability: 'administer',
  }),
};
