import * as z from 'zod/mini';
import { extras } from '#domain/listing/extras.ts';
import { call } from './call.ts';
import { answersOf, blankable, countText, idParams, LONGEST, money } from './fields.ts';
import { doorCount } from './tickets.ts';

/** A city with events. */
export const city = z.object({ id: z.int(), name: z.string(), state: z.string(), country: z.string() });
export type City = z.infer<typeof city>;

/** A category of events. Events and favourites name it by its `slug`, filters by this or by its name. */
export const category = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  emoji: z.string(),
  description: z.string(),
});
export type Category = z.infer<typeof category>;

/** The categories that the demo creates, and that the client shows when the call for categories fails. */
export const defaultCategories: readonly Category[] = [
  { id: 1, slug: 'concerts', name: 'Concerts', emoji: '🎵', description: '' },
  { id: 2, slug: 'dining', name: 'Dining', emoji: '🍽️', description: '' },
  { id: 3, slug: 'nightlife', name: 'Nightlife', emoji: '🌙', description: '' },
  { id: 4, slug: 'culture', name: 'Culture & Arts', emoji: '🎭', description: '' },
];

/** The orders of the event list. The default is `date`, the soonest first. */
export const SORTS = ['date', 'price-low', 'price-high'] as const;
export type Sort = (typeof SORTS)[number];

/** The most events in one answer. */
export const MOST_EVENTS = 500;

/** The filters of the event list. A blank filter counts as not set; other parameters are ignored. */
export const eventQuery = z.object({
  /** A category's slug, or its name in any case of letters. */
  category: z.optional(blankable(LONGEST.name)),
  /** A city's name. */
  city: z.optional(blankable(LONGEST.name)),
  search: z.optional(blankable(LONGEST.search)),
  /** `near` also finds names that are spelt nearly as the words of `search` that no name begins with, or with other spaces: for a search that found nothing. */
  spelling: z.optional(z.enum(['near'], 'Must be near')),
  featured: z.optional(z.enum(['true', 'false'], 'Must be true or false')),
  sort: z.optional(z.enum(SORTS, 'Must be date, price-low or price-high')),
  limit: z.optional(countText(1, MOST_EVENTS)),
  cursor: z.optional(blankable(200)),
});
export type EventQuery = z.infer<typeof eventQuery>;

/** A listing's picture in several widths. Addresses are absolute. */
export const picture = z.object({
  width: z.int(),
  height: z.int(),
  /** Its dominant colour (`#rrggbb`), shown until it has loaded. */
  color: z.string(),
  /** Smallest first, for `srcset`. */
  sizes: z.array(z.object({ url: z.string(), width: z.int() })),
});
export type Picture = z.infer<typeof picture>;

/** Why a listing can't be booked now. */
export const NOT_BOOKABLE = ['sold_out', 'started', 'inactive', 'archived', 'switched_off'] as const;

const extraAnswers = answersOf(extras);

const eventFields = {
  id: z.int(),
  title: z.string(),
  /** A category's slug. */
  category: z.string(),
  categoryName: z.string(),
  city: z.string(),
  venue: z.string(),
  /** The full address. */
  location: z.string(),
  /** `YYYY-MM-DD` and `HH:mm` at the venue. */
  date: z.string(),
  time: z.string(),
  /** The start, and the end of its day in its time zone, or of the night after it. ISO instants. */
  startsAt: z.string(),
  dayEndsAt: z.string(),
  zone: z.string(),
  price: money(),
  imageUrl: z.nullable(z.string()),
  picture: z.nullable(picture),
  featured: z.boolean(),
  /** Capacity − sold − held. */
  availableTickets: z.int(),
  capacity: z.int(),
  tags: z.array(z.string()),
  /** How old, in years, everybody must be on the day; null if there is no such rule. */
  minimumAge: extraAnswers.minimumAge,
  bookable: z.boolean(),
  notBookable: z.nullable(z.enum(NOT_BOOKABLE)),
};

/** An event in the list. `description` is plain text, cut after 200 characters. */
export const eventSummary = z.object({ ...eventFields, description: z.string() });
export type EventSummary = z.infer<typeof eventSummary>;

/** An event with all its details. `description` is HTML that the server has sanitized. */
export const event = z.object({
  ...eventFields,
  description: z.string(),
  isActive: z.boolean(),
  /** The starts that it was moved away from and that people still have tickets for, in that order: ISO instants. */
  movedFrom: z.array(z.string()),
  ...extraAnswers,
});
export type Event = z.infer<typeof event>;

/** A message of the live stream. `position` is a token as in `X-Log-Position`. */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), position: z.string() }),
  z.object({
    type: z.literal('ticketUpdate'),
    eventId: z.int(),
    availableTickets: z.int(),
    position: z.string(),
  }),
  /** To door staff alone: who is in, as `GET /api/tickets/counts` answers. */
  z.object({ type: z.literal('doorUpdate'), counts: doorCount, position: z.string() }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;

const everybody = { capability: 'browse', session: 'ignored' } as const;

/** The calls for cities, categories, events and live updates. */
export const catalogueCalls = {
  cities: call('GET /api/cities', { answer: z.array(city), ...everybody }),
  categories: call('GET /api/categories', { answer: z.array(category), ...everybody }),
  /** Only active events that have not started. */
  events: call('GET /api/events', { query: eventQuery, answer: z.array(eventSummary), ...everybody }),
  /** Any event, also a past or inactive one. */
  event: call('GET /api/events/{id}', { params: idParams(), answer: event, ...everybody }),
  /** The event as a file for calendars (RFC 5545). Added again after it has moved, it moves there too. */
  calendar: call('GET /api/events/{id}/calendar', {
    params: idParams(),
    answer: 'text/calendar',
    ...everybody,
  }),
  /** A stream of `liveMessage`s. */
  /** The same for everybody, but it ends with the session that opened it. */
  live: call('GET /api/sse/events', { answer: 'text/event-stream', capability: 'browse' }),
};
