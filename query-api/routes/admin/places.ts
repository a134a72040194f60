import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { toAdminCity, toAdminVenue } from '#domain/place/answer.ts';
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
  listRoute(app, adminCityCalls.list, cities, (rows) => rows.map((row) => toAdminCity(row.id, row)));
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

  const venuesIn = () =>
    db
      .selectFrom('venue as v')
      .innerJoin('city as c', 'c.id', 'v.city_id')
      .select(['v.id', 'v.name', 'v.address', 'v.city_id as cityId', 'c.name as city', 'v.capacity'])
      .where('v.archived', '=', false);
  const venues = {
    sorts: { name: 'v.name', city: 'c.name', capacity: 'v.capacity' },
    usual: 'name' as const,
    id: 'v.id',
    select: ({ search }: QueryOf<typeof adminVenueCalls.list>) =>
      search ? venuesIn().where(contains(['v.name', 'v.address', 'c.name'], search)) : venuesIn(),
  };
  listRoute(app, adminVenueCalls.list, venues, (rows) =>
    rows.map((row) => toAdminVenue(row.id, row, row.city)),
  );
  csvRoute(app, context, adminVenueCalls.exportCsv, venues, {
    name: 'venues',
    items: (rows) => rows,
    columns: [
      ['ID', ({ id }) => id],
      ['Name', ({ name }) => name],
      ['Address', ({ address }) => address],
      ['City ID', ({ cityId }) => cityId],
      ['City', ({ city }) => city],
      ['Capacity', ({ capacity }) => capacity],
    ],
  });
  route(app, adminVenueCalls.ofCity, async ({ params }) => {
    const rows = await venuesIn().where('v.city_id', '=', params.cityId).orderBy('v.name').execute();
    return rows.map((row) => toAdminVenue(row.id, row, row.city));
  });
};
