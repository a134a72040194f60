import { nameCity } from '#command-api/catalogue/city-names.ts';
import {
  addCity,
  addVenue,
  adminCityOf,
  adminVenueOf,
  editCity,
  editVenue,
  removeCity,
  removeVenue,
} from '#command-api/catalogue/places.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import type { App } from '#infra/http/server.ts';

/** Changes to cities and venues by superusers. */
export const adminPlaceRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'database' | 'log'>,
): void => {
  const change = changesOn(app, deps);
  const edit = editsOn(app, deps);

  change(
    adminCityCalls.create,
    async ({ body }, { acting, ids: { id } }) => {
      await nameCity(deps, id, body, () => addCity(deps, body, acting, id));
      return adminCityOf(id, acting);
    },
    async () => ({ id: await deps.ids.next('city') }),
  );

  edit(
    adminCityCalls.edit,
    ({ params: { id }, body }, acting) => editCity(deps, id, body, acting),
    ({ params: { id } }, acting) => adminCityOf(id, acting),
  );

  change(adminCityCalls.remove, async ({ params: { id } }, { acting }) => {
    await removeCity(deps, id, acting);
    return { message: 'City deleted' };
  });

  change(
    adminVenueCalls.create,
    async ({ body }, { acting, ids }) => adminVenueOf(await addVenue(deps, body, acting, ids.id), acting),
    async () => ({ id: await deps.ids.next('venue') }),
  );

  edit(
    adminVenueCalls.edit,
    ({ params: { id }, body }, acting) => editVenue(deps, id, body, acting),
    ({ params: { id } }, acting) => adminVenueOf(id, acting),
  );

  change(adminVenueCalls.remove, async ({ params: { id } }, { acting }) => {
    await removeVenue(deps, id, acting);
    return { message: 'Venue deleted' };
  });
};
