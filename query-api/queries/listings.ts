import { type Kysely, type SqlBool, sql } from 'kysely';
import type { AdminEvent } from '#domain/contracts/admin-events.ts';
import {
  type Event,
  type EventQuery,
  type EventSummary,
  MOST_EVENTS,
  type NOT_BOOKABLE,
} from '#domain/contracts/catalogue.ts';
import { toDecimal } from '#domain/money.ts';
import { endOfDay } from '#domain/zone.ts';
import { absolute, pictureOf } from '#infra/images/picture.ts';
import { searchQuery } from '#infra/read-models/search.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { cursorAfter, readCursor } from './cursor.ts';

/** A listing with its place, its category and its tickets: what every answer about a listing is made of. */
export const listings = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('listing as l')
    .innerJoin('inventory as i', 'i.listing_id', 'l.id')
    .innerJoin('venue as v', 'v.id', 'l.venue_id')
    .innerJoin('city as c', 'c.id', 'l.city_id')
    .leftJoin('category as k', 'k.slug', 'l.category')
    .select((eb) => [
      'l.id',
      'l.title',
      'l.description',
      'l.words',
      'l.category',
      'l.city_id',
      'l.venue_id',
      'l.location',
      'l.date',
      'l.time',
      'l.zone',
      'l.starts_at',
      'l.price',
      'l.image_url',
      'l.featured',
      'l.is_active',
      'l.archived',
      'l.tags',
      'i.capacity',
      'i.sold',
      'i.held',
      'i.closed',
      'v.name as venue',
      'c.name as city',
      eb.fn.coalesce('k.name', 'l.category').as('category_name'),
    ]);

type ListingRow = Awaited<ReturnType<ReturnType<typeof listings>['execute']>>[number];

/** What the answers depend on besides the rows. */
export interface View {
  readonly baseUrl: string;
  readonly now: Date;
  /** The site's switch `booking_enabled`. */
  readonly bookingEnabled: boolean;
}

const obstacle = (row: ListingRow, view: View): (typeof NOT_BOOKABLE)[number] | null => {
  if (row.archived) return 'archived';
  if (!row.is_active) return 'inactive';
  if (row.closed === 'started' || Date.parse(row.starts_at) <= view.now.getTime()) return 'started';
  if (row.capacity - row.sold - row.held <= 0) return 'sold_out';
  return view.bookingEnabled ? null : 'switched_off';
};

const common = (row: ListingRow, view: View) => {
  const notBookable = obstacle(row, view);
  return {
    id: row.id,
    title: row.title,
    category: row.category,
    categoryName: row.category_name,
    city: row.city,
    venue: row.venue,
    location: row.location,
    date: row.date,
    time: row.time,
    startsAt: row.starts_at,
    dayEndsAt: endOfDay(row.date, row.zone),
    zone: row.zone,
    price: toDecimal(row.price),
    imageUrl: absolute(row.image_url, view.baseUrl),
    picture: pictureOf(row.image_url, view.baseUrl),
    featured: row.featured,
    availableTickets: Math.max(0, row.capacity - row.sold - row.held),
    capacity: row.capacity,
    tags: [...row.tags],
    bookable: notBookable === null,
    notBookable,
  };
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};
const PREVIEW = 200;

/** The start of a description as plain text. */
export const plainText = (html: string): string =>
  html
    .slice(0, 2_000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, PREVIEW)
    .toWellFormed();

/** A row of the list. */
export const toSummary = (row: ListingRow, view: View): EventSummary => ({
  ...common(row, view),
  description: plainText(row.description),
});

/** The page's whole listing. */
export const toEvent = (row: ListingRow, view: View): Event => ({
  ...common(row, view),
  description: row.description,
  isActive: row.is_active,
});

/** A row of the admin table. */
export const toAdminEvent = (row: ListingRow, view: View): AdminEvent => ({
  ...toEvent(row, view),
  cityId: row.city_id,
  venueId: row.venue_id,
  soldTickets: row.sold,
  heldTickets: row.held,
});

/** What the list is asked for: upcoming and active ones, filtered. */
const filtered = (db: Kysely<ReadModels>, query: EventQuery, now: Date) => {
  let select = listings(db)
    .where('l.archived', '=', false)
    .where('l.is_active', '=', true)
    .where('l.starts_at', '>', now.toISOString());
  if (query.category) select = select.where('l.category', '=', query.category.toLowerCase());
  if (query.city) select = select.where(sql<SqlBool>`lower(c.name) = lower(${query.city})`);
  if (query.featured) select = select.where('l.featured', '=', query.featured === 'true');
  const words = query.search ? searchQuery(query.search) : undefined;
  if (words) {
    select = select
      .innerJoin('listing_search as s', 's.listing_id', 'l.id')
      .where(sql<SqlBool>`s.document @@ ${words}::tsquery`) as typeof select;
  }
  return select;
};

const ORDERS = {
  date: { by: 'l.starts_at', up: true },
  'price-low': { by: 'l.price', up: true },
  'price-high': { by: 'l.price', up: false },
} as const;

/** A page of the event list; `total` counts all pages. */
export interface EventPage {
  readonly events: readonly EventSummary[];
  readonly total: number;
  /** Where the next page starts; absent on the last. */
  readonly cursor: string | undefined;
}

/** The event list, at most `MOST_EVENTS` of it, in the order asked for; equal ones by id. @throws Refusal BAD_INPUT for a cursor of another order */
export const findEvents = async (
  db: Kysely<ReadModels>,
  query: EventQuery,
  view: View,
): Promise<EventPage> => {
  const sort = query.sort ?? 'date';
  const { by, up } = ORDERS[sort];
  const limit = query.limit ?? MOST_EVENTS;
  const matching = filtered(db, query, view.now);
  const total = await matching
    .clearSelect()
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();

  let page = matching
    .orderBy(by, up ? 'asc' : 'desc')
    .orderBy('l.id')
    .limit(limit + 1);
  const after = query.cursor ? readCursor(query.cursor, sort) : undefined;
  if (after) {
    const column = sql.ref(by);
    page = page.where(
      up
        ? sql<SqlBool>`(${column}, l.id) > (${after.value}, ${after.id})`
        : sql<SqlBool>`(${column} < ${after.value} or (${column} = ${after.value} and l.id > ${after.id}))`,
    );
  }
  const rows = await page.execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor =
    rows.length > limit && last
      ? cursorAfter(sort, sort === 'date' ? last.starts_at : last.price, last.id)
      : undefined;
  return { events: shown.map((row) => toSummary(row, view)), total: Number(total.count), cursor };
};
