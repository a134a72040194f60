import { toAdminCity, toAdminVenue } from '#domain/answers/places.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { exportedListRoutes } from '#query-api/routes/list.ts';

export const adminPlaceRoutes = (app: App, context: QueryContext): void => {
  const { db } = context;
  exportedListRoutes(app, context, adminCityCalls.list, adminCityCalls.exportCsv, {
    name: 'cities',
    sorts: { name: 'name', state: 'state', country: 'country' },
    usual: 'name',
    id: 'id',
    select({ search }) {
      const found = db
        .selectFrom('city')
        .select(['id', 'name', 'state', 'country', 'zone'])
        .where('archived', '=', false);
      return search ? found.where(contains(['name', 'state', 'country'], search)) : found;
    },
    items: (rows) => rows.map((row) => toAdminCity(row.id, row)),
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
  exportedListRoutes(app, context, adminVenueCalls.list, adminVenueCalls.exportCsv, {
    name: 'venues',
    sorts: { name: 'v.name', city: 'c.name', capacity: 'v.capacity' },
    usual: 'name',
    id: 'v.id',
    select: ({ search }) =>
      search ? venuesIn().where(contains(['v.name', 'v.address', 'c.name'], search)) : venuesIn(),
    items: (rows) => rows.map((row) => toAdminVenue(row.id, row, row.city)),
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
