import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { type ListingParts, type ListingView, toEvent, toEventSummary } from '#domain/answers/listings.ts';
import { type Event, type EventQuery, type EventSummary, MOST_EVENTS } from '#domain/contracts/catalogue.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { searchQuery } from '#infra/read-models/search.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { cursorAfter, readCursor } from './cursor.ts';

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
      'l.extras',
      'i.capacity',
      'i.sold',
      'i.held',
      'i.closed',
      'v.name as venue',
      'c.name as city',
      eb.fn.coalesce('k.name', 'l.category').as('category_name'),
    ]);

type ListingRow = Awaited<ReturnType<ReturnType<typeof listings>['execute']>>[number];

export const listingParts = (row: ListingRow): ListingParts => ({
  id: row.id,
  listing: {
    details: {
      title: row.title,
      description: row.description,
      category: row.category,
      cityId: row.city_id,
      venueId: row.venue_id,
      location: row.location,
      price: row.price,
      imageUrl: row.image_url,
      tags: row.tags,
      extras: extrasOf(row.extras),
    },
    schedule: { date: row.date, time: row.time, zone: row.zone, startsAt: row.starts_at },
    featured: row.featured,
    active: row.is_active,
    archived: row.archived,
  },
  inventory: { capacity: row.capacity, sold: row.sold, held: row.held, closed: row.closed },
  city: { name: row.city },
  venue: { name: row.venue },
  category: { name: row.category_name },
});

const movedFrom = (db: Kysely<ReadModels>) => {
  const booked = db
    .selectFrom('booking as b')
    .select('b.id')
    .where('b.listing_id', '=', sql.ref<number>('l.id'))
    .where('b.status', '=', 'confirmed')
    .where('b.booked_start', '=', sql<string>`former.start::timestamptz`);
  return sql<string[]>`(
    select coalesce(jsonb_agg(former.start order by former.place), '[]')
      from jsonb_array_elements_text(l.moved_from) with ordinality as former (start, place)
     where exists ${booked})`.as('moved_from');
};

export const findEvent = async (
  db: Kysely<ReadModels>,
  id: number,
  view: ListingView,
): Promise<Event | undefined> => {
  const row = await listings(db).select(movedFrom(db)).where('l.id', '=', id).executeTakeFirst();
  return row && toEvent({ ...listingParts(row), movedFrom: row.moved_from }, view);
};

export const worded =
  (search: string) => (eb: ExpressionBuilder<ReadModels & { l: ReadModels['listing'] }, 'l'>) => {
    const words = searchQuery(search);
    if (words === undefined) return eb.lit(true);
    const found = eb
      .selectFrom('listing_search as s')
      .select('s.listing_id')
      .whereRef('s.listing_id', '=', 'l.id')
      .where(sql<SqlBool>`s.document @@ ${words}::tsquery`);
    return eb.exists(found);
  };

export const listed = (db: Kysely<ReadModels>, now: Date) =>
  listings(db)
    .where('l.archived', '=', false)
    .where('l.is_active', '=', true)
    .where('l.starts_at', '>', now.toISOString());

const filtered = (db: Kysely<ReadModels>, query: EventQuery, words: string | undefined, now: Date) => {
  let select = listed(db, now);
  const category = query.category?.toLowerCase();
  if (category)
    select = select.where((eb) =>
      eb.or([eb('l.category', '=', category), eb(eb.fn('lower', ['k.name']), '=', category)]),
    );
  if (query.city) select = select.where(sql<SqlBool>`lower(c.name) = lower(${query.city})`);
  if (query.featured) select = select.where('l.featured', '=', query.featured === 'true');
  if (words !== undefined) {
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

export interface EventPage {
  readonly events: readonly EventSummary[];
  readonly total: number;
  readonly cursor: string | undefined;
}

/**
 * @param words text for `::tsquery`
 * @throws Refusal BAD_INPUT for a cursor of another order
 */
export const findEvents = async (
  db: Kysely<ReadModels>,
  query: EventQuery,
  words: string | undefined,
  view: ListingView,
): Promise<EventPage> => {
  const sort = query.sort ?? 'date';
  const { by, up } = ORDERS[sort];
  const limit = query.limit ?? MOST_EVENTS;
  const matching = filtered(db, query, words, view.now);
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
  return {
    events: shown.map((row) => toEventSummary(listingParts(row), view)),
    total: Number(total.count),
    cursor,
  };
};
