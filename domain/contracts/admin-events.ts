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

const badPrice = 'Price must be a positive number';
const badCapacity = 'Capacity must be a positive integer';

const eventForm = {
  title: text(LONGEST.title, 'Title is required'),
  description: text(LONGEST.description, 'Description is required'),
  category: text(LONGEST.name, 'Category is required'),
  location: text(LONGEST.message, 'Location is required').check(
    z.maxLength(500, 'Must be at most 500 characters'),
  ),
  cityId: id('City selection is required'),
  venueId: id('Venue selection is required'),
  date: date(),
  time: time(),
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
  ...requestsOf(extras),
  /** Ignored: derived from capacity, sales and holds. */
  availableTickets: z.optional(z.unknown()),
};

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

/** Field by field: a check of the whole object would run only once every field is valid. */
// @__NO_SIDE_EFFECTS__
function withPlaces<S extends z.ZodMiniType>(form: S) {
  return prepared(form, ({ cityId, venueId, ...sent }) => ({
    ...sent,
    cityId: cityId ?? (sent.newCity ? undefined : null),
    venueId: venueId ?? (sent.newVenue ? undefined : null),
  }));
}

/** A new city needs a new venue. */
export const newEventRequest = withPlaces(newEvent);
export type NewEventRequest = z.input<typeof newEventRequest>;

export const editEventRequest = z.strictObject({
  ...eventForm,
  featured: z.nullish(z.boolean(NO_FLAG)),
  isActive: z.nullish(z.boolean(NO_FLAG)),
  ...since(),
});

export const featureEventRequest = z.strictObject({ featured: z.boolean(NO_FLAG) });

export const adminEvent = z.extend(z.omit(event, { movedFrom: true }), {
  cityId: z.int(),
  venueId: z.int(),
  soldTickets: z.int(),
  heldTickets: z.int(),
  revision: z.string(),
});
export type AdminEvent = z.infer<typeof adminEvent>;

export const createdEvent = z.extend(adminEvent, {
  _metadata: z.object({
    newCityCreated: z.boolean(),
    newVenueCreated: z.boolean(),
  }),
});
export type CreatedEvent = z.infer<typeof createdEvent>;

export const eventDeletionQuote = z.object({
  bookings: z.int(),
  tickets: z.int(),
  refundTotal: money(),
  over: z.boolean(),
});

/** `refund` defaults to true unless the event's day is over. */
export const deleteEventRequest = z.nullish(
  z.strictObject({ refund: z.optional(z.boolean('Must be true or false')) }),
);

export const EVENT_STATES = ['ahead', 'past', 'inactive'] as const;

const query = listQuery(['title', 'venue', 'city', 'date', 'category', 'price'], {
  state: z.optional(z.enum(EVENT_STATES)),
  category: z.optional(slug()),
});

export const adminEventCalls = {
  /** By default upcoming events, soonest first, then past ones, latest first. */
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
  /** `CAPACITY_TOO_SMALL` below sold plus held tickets. */
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
  /** Characters that no font of the tickets has. */
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
   * Cancels and fully refunds the bookings of an upcoming event; once its day is over they stay, unless
   * `refund` is set. `CONFLICT` from the start until the day is over, and for an upcoming event without
   * `refund`.
   */
  remove: call('DELETE /api/admin/events/{id}', {
    params: idParams(),
    body: deleteEventRequest,
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
};
