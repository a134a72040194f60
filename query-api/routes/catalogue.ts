import type { ListingView } from '#domain/answers/listings.ts';
import { catalogueCalls, type Event, type EventSummary } from '#domain/contracts/catalogue.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { CALENDAR_TYPE, calendarOf } from '#infra/calendar/calendar.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import { route, serialize } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { searchQuery } from '#infra/read-models/search.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { findEvent, findEvents } from '#query-api/queries/listings.ts';
import { listedNames } from '#query-api/queries/names.ts';
import { loadSettings } from '#query-api/queries/settings.ts';
import { nearQuery } from '#query-api/queries/spelling.ts';
import { AnswerCache } from './answer-cache.ts';

export const catalogueRoutes = (app: App, { db, config, clock, visibility }: QueryContext): void => {
  const cache = new AnswerCache<readonly EventSummary[]>(
    () => visibility.current(),
    () => clock().getTime(),
  );
  const names = listedNames(db, clock);
  const viewNow = async (): Promise<ListingView> => ({
    baseUrl: config.baseUrl,
    now: clock(),
    bookingEnabled: (await loadSettings(db)).bookingEnabled,
    sanitize: sanitizeDescription,
  });

  route(app, catalogueCalls.cities, () =>
    db
      .selectFrom('city')
      .select(['id', 'name', 'state', 'country'])
      .where('archived', '=', false)
      .orderBy('name')
      .execute(),
  );

  route(app, catalogueCalls.categories, () =>
    db
      .selectFrom('category')
      .select(['id', 'slug', 'name', 'emoji', 'description'])
      .where('archived', '=', false)
      .orderBy('id')
      .execute(),
  );

  route(app, catalogueCalls.events, async ({ query }, reply) => {
    const { category, city, search = '', spelling, featured, sort, limit, cursor } = query;
    const question = JSON.stringify([category, city, search, spelling, featured, sort, limit, cursor]);
    const answer = await cache.get(question, async () => {
      const near = spelling === 'near' ? nearQuery(search, await names()) : undefined;
      const page = await findEvents(db, query, near ?? searchQuery(search), await viewNow());
      return {
        body: serialize(page.events),
        headers: {
          [headers.total]: String(page.total),
          ...(page.cursor ? { [headers.cursor]: page.cursor } : {}),
        },
      };
    });
    reply.headers(answer.headers);
    return answer.body;
  });

  const eventOf = async (id: number): Promise<Event> => {
    const event = await findEvent(db, id, await viewNow());
    if (!event) throw new Refusal('LISTING_NOT_FOUND');
    return event;
  };

  route(app, catalogueCalls.event, ({ params }) => eventOf(params.id));

  route(app, catalogueCalls.calendar, async ({ params }, reply) => {
    const event = await eventOf(params.id);
    const { siteName } = await loadSettings(db);
    reply.header('content-disposition', `attachment; filename="event-${params.id}.ics"`).type(CALENDAR_TYPE);
    const isCancelled = event.notBookable === 'archived';
    return calendarOf({ ...event, isCancelled }, { siteName, baseUrl: config.baseUrl, now: clock() });
  });
};
