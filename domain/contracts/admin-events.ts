import * as z from 'zod/mini';
import { extras } from '#domain/listing/extras.ts';
import { cityRequest, venueRequest } from './admin-places.ts';
import { call } from './call.ts';
import { event } from './catalogue.ts';
import { listQuery, orRow, said } from './envelope.ts';
import {
  amount,
  date,
  flag,
  id,
  idParams,
  imageUrl,
  LARGEST_CAPACITY,
  LARGEST_PRICE,
  LONGEST,
  missingOr,
  money,
  NO_FLAG,
  prepared,
  requestsOf,
  since,
  slug,
  text,
  time,
} from './fields.ts';

/** `/api/admin/events*`. Texts of the superusers' specification, section 5. */

const badPrice = 'Price must be a positive number';
const badCapacity = 'Capacity must be a positive integer';

/** The fields of the event form. Whether the date is in the future is decided by the listing, which knows the time zone. */
const eventForm = {
  title: text(LONGEST.title, 'Title is required'),
  /** HTML; the server sanitizes it. */
  description: text(LONGEST.description, 'Description is required'),
  /** Its slug, or its name. */
  category: text(LONGEST.name, 'Category is required'),
  location: text(LONGEST.message, 'Location is required').check(
    z.maxLength(500, 'Must be at most 500 characters'),
  ),
  cityId: id('City selection is required'),
  venueId: id('Venue selection is required'),
  date: date(),
  time: time(),
  /** Parsed into pence. */
  price: amount(badPrice, 'Price is required').check(
    z.minimum(1, badPrice),
    z.maximum(LARGEST_PRICE, 'Price must be at most 99,999.99'),
  ),
  capacity: z
    .int({ error: missingOr('Capacity is required', badCapacity) })
    .check(z.minimum(1, badCapacity), z.maximum(LARGEST_CAPACITY, 'Capacity must be at most 1,000,000')),
  featured: flag(false),
  imageUrl: z.nullish(imageUrl()),
  tags: z.optional(z.array(text(LONGEST.name)).check(z.maxLength(20, 'At most 20 tags'))),
  /** An edit keeps one that is left out. */
  ...requestsOf(extras),
  /** The client sends it, and it is ignored: it follows from the capacity, the sales and the holds. */
  availableTickets: z.optional(z.unknown()),
};

/** An event in a city and at a venue that exist. */
export const createEventRequest = z.strictObject(eventForm);
/** @internal */
export type CreateEventRequest = z.input<typeof createEventRequest>;

const newEvent = z
  .strictObject({
    ...eventForm,
    cityId: z.optional(eventForm.cityId),
    venueId: z.optional(eventForm.venueId),
    newCity: z.optional(cityRequest),
    newVenue: z.optional(z.omit(venueRequest, { cityId: true })),
    isActive: z.optional(
      z
        .boolean(NO_FLAG)
        .check(z.refine((active) => active, 'A new event is active: edit it to take it off the lists')),
    ),
  })
  .check(
    z.refine(({ cityId, newCity }) => !(cityId && newCity), {
      error: 'City selection is required',
      path: ['cityId'],
    }),
    z.refine(({ venueId, newVenue, newCity }) => !(venueId && (newVenue || newCity)), {
      error: 'Venue selection is required',
      path: ['venueId'],
    }),
  );

/** Demands ids of places where no new ones stand in their stead. A check of the whole would be silent until each field is right. */
// @__NO_SIDE_EFFECTS__
function withPlaces<S extends z.ZodMiniType>(form: S) {
  return prepared(form, ({ cityId, venueId, ...sent }) => ({
    ...sent,
    cityId: cityId ?? (sent.newCity ? undefined : null),
    venueId: venueId ?? (sent.newVenue ? undefined : null),
  }));
}

/** `POST /api/admin/events`. `newCity` and `newVenue` may stand in place of ids: they are added with the event. A new city's venue is new, too. */
export const newEventRequest = withPlaces(newEvent);
export type NewEventRequest = z.input<typeof newEventRequest>;

/** `PUT /api/admin/events/{id}`. Tags, featured and active stay where they aren't sent. */
export const editEventRequest = z.strictObject({
  ...eventForm,
  featured: z.nullish(z.boolean(NO_FLAG)),
  isActive: z.nullish(z.boolean(NO_FLAG)),
  ...since(),
});

/** `PATCH /api/admin/events/{id}/featured` */
export const featureEventRequest = z.strictObject({ featured: z.boolean(NO_FLAG) });

/** An event in the superusers' list. */
export const adminEvent = z.extend(z.omit(event, { movedFrom: true }), {
  cityId: z.int(),
  venueId: z.int(),
  soldTickets: z.int(),
  heldTickets: z.int(),
  revision: z.string(),
});
export type AdminEvent = z.infer<typeof adminEvent>;

/** The answer to `POST /api/admin/events`, 201. */
export const createdEvent = z.extend(adminEvent, {
  _metadata: z.object({
    /** Whether they were added with the event. */
    newCityCreated: z.boolean(),
    newVenueCreated: z.boolean(),
  }),
});
export type CreatedEvent = z.infer<typeof createdEvent>;

/** What deleting an event would cancel and pay back. Of one whose day is over (`over`) only if it is asked for. */
export const eventDeletionQuote = z.object({
  bookings: z.int(),
  tickets: z.int(),
  refundTotal: money(),
  over: z.boolean(),
});

/** `DELETE /api/admin/events/{id}`. `refund`: its bookings are cancelled and paid back. Default: unless its day is over. */
export const deleteEventRequest = z.nullish(
  z.strictObject({ refund: z.optional(z.boolean('Must be true or false')) }),
);

/** `ahead` and `past` go by the start; `inactive` ones are in no list that customers see. */
export const EVENT_STATES = ['ahead', 'past', 'inactive'] as const;

const query = listQuery(['title', 'venue', 'city', 'date', 'category', 'price'], {
  state: z.optional(z.enum(EVENT_STATES)),
  category: z.optional(slug()),
});

/** `/api/admin/events*`: the catalogue as superusers see it. */
export const adminEventCalls = {
  /** Past and inactive ones too. Where no order is asked for, the next one first, and after all that lie ahead the past, the latest first. */
  list: call('GET /api/admin/events', { query, answer: z.array(adminEvent), capability: 'administer' }),
  exportCsv: call('GET /api/admin/events/export-csv', {
    query,
    answer: 'text/csv',
    capability: 'administer',
    limit: 'export',
  }),
  create: call('POST /api/admin/events', {
    body: withPlaces(orRow(newEvent, createdEvent)),
    answer: createdEvent,
    status: [201],
    capability: 'administer',
    limit: 'administration',
    idempotent: true,
  }),
  /** Refused with `CAPACITY_TOO_SMALL` below what is sold and held. Its start has to lie ahead only if it changes. */
  edit: call('PUT /api/admin/events/{id}', {
    params: idParams(),
    body: orRow(editEventRequest, createdEvent),
    answer: adminEvent,
    capability: 'administer',
    limit: 'administration',
  }),
  feature: call('PATCH /api/admin/events/{id}/featured', {
    params: idParams(),
    body: featureEventRequest,
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
  /** Which characters of a text no font of the tickets has: they are shown as boxes. */
  ticketText: call('GET /api/admin/events/ticket-text', {
    query: z.object({ text: text(LONGEST.message) }),
    answer: z.object({ missing: z.array(z.string()) }),
    capability: 'administer',
  }),
  deletionQuote: call('GET /api/admin/events/{id}/deletion-quote', {
    params: idParams(),
    answer: eventDeletionQuote,
    capability: 'administer',
  }),
  /**
   * Takes it off the lists at once. The bookings of one that lies ahead are then cancelled and paid back in full; those of one whose day
   * is over stay as they are, unless `refund` is asked for. Refused with `CONFLICT` in between, and without refunds before its day is over.
   */
  remove: call('DELETE /api/admin/events/{id}', {
    params: idParams(),
    body: deleteEventRequest,
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
};
