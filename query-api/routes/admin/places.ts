import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { contains, csvRoute, listRoute } from '#query-api/routes/list.ts';

/** Cities and venues, as superusers list them and choose from them. */
export const adminPlaceRoutes = (app: App, context: QueryContext): void => {
  const { db } = context;
  const cities = {
    sorts: { name: 'name', state: 'state', country: 'country' },
    usual: 'name' as const,
    id: 'id',
    select({ search }: QueryOf<typeof adminCityCalls.list>) {
      const found = db
        .selectFrom('city')
        .select(['id', 'name', 'state', 'country', 'zone'])
        .where('archived', '=', false);
      return search ? found.where(contains(['name', 'state', 'country'], search)) : found;
    },
  };
  listRoute(app, adminCityCalls.list, cities, (rows) => [...rows]);
  csvRoute(app, context, adminCityCalls.exportCsv, cities, {
    name: 'cities',
    items: (rows) => rows,
    columns: [
      ['ID', ({ id }) => id],
      ['Name', ({ name }) => name],
      ['State or province', ({ state }) => state],
      ['Country', ({ country }) => country],
      ['Time zone', ({ zone }) => zone],
    ],
  });

  const venues = db
    .selectFrom('venue')
    .select(['id', 'name', 'address', 'city_id as cityId', 'capacity'])
    .where('archived', '=', false)
    .orderBy('name');
  route(app, adminVenueCalls.list, () => venues.execute());
  route(app, adminVenueCalls.ofCity, ({ params }) => venues.where('city_id', '=', params.cityId).execute());
};
