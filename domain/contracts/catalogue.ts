import * as z from 'zod/mini';
import { extras } from '#domain/listing/extras.ts';
import { call } from './call.ts';
import { answersOf, blankable, countText, idParams, LONGEST, money } from './fields.ts';
import { doorCount } from './tickets.ts';

export const city = z.object({ id: z.int(), name: z.string(), state: z.string(), country: z.string() });
export type City = z.infer<typeof city>;

export const category = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  emoji: z.string(),
  description: z.string(),
});
export type Category = z.infer<typeof category>;

export const defaultCategories: readonly Category[] = [
  { id: 1, slug: 'concerts', name: 'Concerts', emoji: '🎵', description: '' },
  { id: 2, slug: 'dining', name: 'Dining', emoji: '🍽️', description: '' },
  { id: 3, slug: 'nightlife', name: 'Nightlife', emoji: '🌙', description: '' },
  { id: 4, slug: 'culture', name: 'Culture & Arts', emoji: '🎭', description: '' },
];

export const SORTS = ['date', 'price-low', 'price-high'] as const;
export type Sort = (typeof SORTS)[number];

export const MOST_EVENTS = 500;

export const eventQuery = z.object({
  category: z.optional(blankable(LONGEST.name)),
  city: z.optional(blankable(LONGEST.name)),
  search: z.optional(blankable(LONGEST.search)),
  /** `near` also finds misspellings and different spacing, for a search without results. */
  spelling: z.optional(z.enum(['near'], 'Must be near')),
  featured: z.optional(z.enum(['true', 'false'], 'Must be true or false')),
  sort: z.optional(z.enum(SORTS, 'Must be date, price-low or price-high')),
  limit: z.optional(countText(1, MOST_EVENTS)),
  cursor: z.optional(blankable(200)),
});
export type EventQuery = z.infer<typeof eventQuery>;

export const picture = z.object({
  width: z.int(),
  height: z.int(),
  color: z.string(),
  sizes: z.array(z.object({ url: z.string(), width: z.int() })),
});
export type Picture = z.infer<typeof picture>;

export const NOT_BOOKABLE = ['sold_out', 'started', 'inactive', 'archived', 'switched_off'] as const;

const extraAnswers = answersOf(extras);

const eventFields = {
  id: z.int(),
  title: z.string(),
  category: z.string(),
  categoryName: z.string(),
  city: z.string(),
  venue: z.string(),
  location: z.string(),
  /** Venue time: `YYYY-MM-DD` and `HH:mm`. */
  date: z.string(),
  time: z.string(),
  /** ISO instants: the start, and the end of its local day or of the night after it. */
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
  /** Years, on the day of the event. */
  minimumAge: extraAnswers.minimumAge,
  bookable: z.boolean(),
  notBookable: z.nullable(z.enum(NOT_BOOKABLE)),
};

/** Plain text, cut after 200 characters. */
export const eventSummary = z.object({ ...eventFields, description: z.string() });
export type EventSummary = z.infer<typeof eventSummary>;

/** Sanitized HTML. */
export const event = z.object({
  ...eventFields,
  description: z.string().brand<'SafeHtml'>(),
  isActive: z.boolean(),
  /** ISO instants: former starts for which tickets exist, in the order of the moves. */
  movedFrom: z.array(z.string()),
  ...extraAnswers,
});
export type Event = z.infer<typeof event>;
export type SafeHtml = Event['description'];

/** `position` is a token for `X-Min-Position`. */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), position: z.string() }),
  z.object({
    type: z.literal('ticketUpdate'),
    eventId: z.int(),
    availableTickets: z.int(),
    position: z.string(),
  }),
  /** Door staff only. */
  z.object({ type: z.literal('doorUpdate'), counts: doorCount, position: z.string() }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;

const everybody = { capability: 'browse', session: 'ignored' } as const;

export const catalogueCalls = {
  cities: call('GET /api/cities', { answer: z.array(city), ...everybody }),
  categories: call('GET /api/categories', { answer: z.array(category), ...everybody }),
  events: call('GET /api/events', { query: eventQuery, answer: z.array(eventSummary), ...everybody }),
  event: call('GET /api/events/{id}', { params: idParams(), answer: event, ...everybody }),
  /** iCalendar (RFC 5545). Importing it again after a move updates the entry. */
  calendar: call('GET /api/events/{id}/calendar', {
    params: idParams(),
    answer: 'text/calendar',
    ...everybody,
  }),
  /** Closed with the session that opened it. */
  live: call('GET /api/sse/events', { answer: 'text/event-stream', capability: 'browse' }),
};
