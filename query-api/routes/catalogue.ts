import type { Category, City } from '#domain/contracts/catalogue.ts';
import { eventQuery } from '#domain/contracts/catalogue.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { idParams } from '#domain/contracts/fields.ts';
import { type ListingView, toEvent } from '#domain/listing/answer.ts';
import { Refusal } from '#domain/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { AnswerCache } from '#query-api/queries/answer-cache.ts';
import { findEvents, listingParts, listings } from '#query-api/queries/listings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';
import type { QueryContext } from '#query-api/server.ts';

const everybody = { capability: 'browse', session: 'ignored' } as const;

/** Cities, categories, and the events to choose from. */
export const catalogueRoutes = (app: App, { db, config, clock, visibility }: QueryContext): void => {
  const cache = new AnswerCache(
    () => visibility.current(),
    () => clock().getTime(),
  );
  const viewNow = async (): Promise<ListingView> => ({
    baseUrl: config.baseUrl,
    now: clock(),
    bookingEnabled: (await loadSettings(db)).bookingEnabled,
  });

  app.get('/api/cities', { config: everybody }, async (_request, reply): Promise<City[]> => {
    const cities = await db
      .selectFrom('city')
      .select(['id', 'name', 'state', 'country'])
      .where('archived', '=', false)
      .orderBy('name')
      .execute();
    reply.header(headers.total, cities.length);
    return cities;
  });

  app.get('/api/categories', { config: everybody }, async (_request, reply): Promise<Category[]> => {
    const categories = await db
      .selectFrom('category')
      .select(['id', 'slug', 'name', 'emoji', 'description'])
      .where('archived', '=', false)
      .orderBy('id')
      .execute();
    reply.header(headers.total, categories.length);
    return categories;
  });

  app.get(
    '/api/events',
    { config: everybody, schema: { querystring: eventQuery } },
    async (request, reply) => {
      const { query } = request;
      const question = JSON.stringify([
        query.category,
        query.city,
        query.search,
        query.featured,
        query.sort,
        query.limit,
        query.cursor,
      ]);
      const answer = await cache.get(question, async () => {
        const page = await findEvents(db, query, await viewNow());
        return {
          body: Buffer.from(JSON.stringify(page.events)),
          headers: {
            [headers.total]: String(page.total),
            ...(page.cursor ? { [headers.cursor]: page.cursor } : {}),
          },
        };
      });
      return reply.headers(answer.headers).type('application/json; charset=utf-8').send(answer.body);
    },
  );

  app.get('/api/events/:id', { config: everybody, schema: { params: idParams() } }, async (request) => {
    const row = await listings(db).where('l.id', '=', request.params.id).executeTakeFirst();
    if (!row) throw new Refusal('LISTING_NOT_FOUND');
    return toEvent(listingParts(row), await viewNow());
  });
};
