import { adminPlaceCalls } from '#domain/contracts/admin-places.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';

/** Cities and venues, as superusers choose from them. */
export const adminPlaceRoutes = (app: App, { db }: QueryContext): void => {
  const venues = db
    .selectFrom('venue')
    .select(['id', 'name', 'address', 'city_id as cityId', 'capacity'])
    .where('archived', '=', false)
    .orderBy('name');

  route(app, adminPlaceCalls.cities, () =>
    db
      .selectFrom('city')
      .select(['id', 'name', 'state', 'country', 'zone'])
      .where('archived', '=', false)
      .orderBy('name')
      .execute(),
  );

  route(app, adminPlaceCalls.venues, () => venues.execute());

  route(app, adminPlaceCalls.venuesOfCity, ({ params }) =>
    venues.where('city_id', '=', params.cityId).execute(),
  );
};
