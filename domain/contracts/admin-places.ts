import * as z from 'zod/mini';
import { isZone } from '#domain/place/city-zone.ts';
import { call } from './call.ts';
import { listQuery, orRow, said } from './envelope.ts';
import { id, idParams, idText, LARGEST_CAPACITY, LONGEST, missingOr, since, text } from './fields.ts';

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

const cities = listQuery(['name', 'state', 'country'], {});

/** The calls of `/api/admin/cities`. */
export const adminCityCalls = {
  /** By name where no order is asked for. The search looks at name, state and country. */
  list: call('GET /api/admin/cities', {
    query: cities,
    answer: z.array(adminCity),
    capability: 'administer',
  }),
  exportCsv: call('GET /api/admin/cities/export-csv', {
    query: cities,
    answer: 'text/csv',
    capability: 'administer',
    limit: 'export',
  }),
  /** Refused with `NAME_TAKEN`, as an edit is, where another city has the name, state and country. */
  create: call('POST /api/admin/cities', {
    body: orRow(cityRequest, adminCity),
    answer: adminCity,
    status: [201],
    capability: 'administer',
    limit: 'administration',
    idempotent: true,
  }),
  edit: call('PUT /api/admin/cities/{id}', {
    params: idParams(),
    body: orRow(editCityRequest, adminCity),
    answer: adminCity,
    capability: 'administer',
    limit: 'administration',
  }),
  /** Refused with `IN_USE`, and what uses it, while venues stand in it. */
  remove: call('DELETE /api/admin/cities/{id}', {
    params: idParams(),
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
};

const venues = listQuery(['name', 'city', 'capacity'], {});
const administer = { capability: 'administer' } as const;
const changing = { ...administer, limit: 'administration' } as const;

/** The calls of `/api/admin/venues`. */
export const adminVenueCalls = {
  /** By name where no order is asked for. The search looks at name, address and city. */
  list: call('GET /api/admin/venues', { query: venues, answer: z.array(adminVenue), ...administer }),
  ofCity: call('GET /api/admin/venues/by-city/{cityId}', {
    params: z.object({ cityId: idText() }),
    answer: z.array(adminVenue),
    ...administer,
  }),
  exportCsv: call('GET /api/admin/venues/export-csv', {
    query: venues,
    answer: 'text/csv',
    limit: 'export',
    ...administer,
  }),
  create: call('POST /api/admin/venues', {
    body: orRow(venueRequest, adminVenue),
    answer: adminVenue,
    status: [201],
    idempotent: true,
    ...changing,
  }),
  /** Refused with `IN_USE` where it would leave its city while events take place there. */
  edit: call('PUT /api/admin/venues/{id}', {
    params: idParams(),
    body: orRow(editVenueRequest, adminVenue),
    answer: adminVenue,
    ...changing,
  }),
  /** Refused with `IN_USE`, and what uses it, while events take place there. */
  remove: call('DELETE /api/admin/venues/{id}', { params: idParams(), answer: said(), ...changing }),
};
