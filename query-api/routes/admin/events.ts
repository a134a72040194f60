import { sql } from 'kysely';
import { toAdminEvent } from '#domain/answers/listings.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { columnsOf } from '#domain/kernel/fields.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { extras } from '#domain/listing/extras.ts';
import { isOver } from '#domain/listing/state.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { cancellable } from '#query-api/queries/bookings.ts';
import { listingParts, listings, worded } from '#query-api/queries/listings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';
import { exportedListRoutes } from '#query-api/routes/list.ts';

export const adminEventRoutes = (app: App, context: QueryContext): void => {
  const { db, clock, config, printer } = context;
  route(app, adminEventCalls.ticketText, async ({ query: { text } }) => ({
    missing: await printer.undrawable(text),
  }));
  route(app, adminEventCalls.deletionQuote, async ({ params: { id } }) => {
    const [listed, { bookings, tickets, paid }] = await Promise.all([
      db
        .selectFrom('listing')
        .select(['date', 'zone', 'starts_at as startsAt'])
        .where('id', '=', id)
        .executeTakeFirst(),
      cancellable(db).where('b.listing_id', '=', id).executeTakeFirstOrThrow(),
    ]);
    if (!listed) throw new Refusal('LISTING_NOT_FOUND');
    return { bookings, tickets, refundTotal: toDecimal(Number(paid)), over: isOver(listed, clock()) };
  });

  exportedListRoutes(app, context, adminEventCalls.list, adminEventCalls.exportCsv, {
    name: 'events',
    sorts: {
      title: 'l.title',
      venue: 'v.name',
      city: 'c.name',
      date: 'l.starts_at',
      category: 'l.category',
      price: 'l.price',
    },
    usual: sql`l.starts_at < now(), abs(extract(epoch from l.starts_at - now()))`,
    id: 'l.id',
    select({ state, category, search }) {
      const now = clock().toISOString();
      let found = listings(db).where('l.archived', '=', false);
      if (category) found = found.where('l.category', '=', category);
      if (state === 'ahead') found = found.where('l.starts_at', '>', now);
      if (state === 'past') found = found.where('l.starts_at', '<=', now);
      if (state === 'inactive') found = found.where('l.is_active', '=', false);
      return search ? found.where(worded(search)) : found;
    },
    items: async (rows) => {
      const { bookingEnabled } = await loadSettings(db);
      const view = { baseUrl: config.baseUrl, now: clock(), bookingEnabled, sanitize: sanitizeDescription };
      return rows.map((row) => toAdminEvent(listingParts(row), view));
    },
    columns: [
      ['ID', ({ id }) => id],
      ['Title', ({ title }) => title],
      ['Category', ({ categoryName }) => categoryName],
      ['City', ({ city }) => city],
      ['Venue', ({ venue }) => venue],
      ['Location', ({ location }) => location],
      ['Date', ({ date }) => date],
      ['Time', ({ time }) => time],
      ...columnsOf(extras),
      ['Price (GBP)', ({ price }) => price],
      ['Capacity', ({ capacity }) => capacity],
      ['Sold', ({ soldTickets }) => soldTickets],
      ['Held', ({ heldTickets }) => heldTickets],
      ['Available', ({ availableTickets }) => availableTickets],
      ['Featured', ({ featured }) => featured],
      ['Active', ({ isActive }) => isActive],
    ],
  });
};
