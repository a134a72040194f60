import {
  addCity,
  addVenue,
  cityInUse,
  editCity,
  editVenue,
  removeCity,
  removeVenue,
} from '#command-api/catalogue/places.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { HOME_ZONE } from '#domain/zone.ts';
import type { App } from '#infra/http/server.ts';

/** Changes to cities and venues by superusers. */
export const adminPlaceRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'database'>,
): void => {
  const change = changesOn(app, deps);

  change(
    adminCityCalls.create,
    async ({ body }, { acting, ids }) => ({
      ...body,
      id: await addCity(deps, body, acting, ids.id),
      zone: body.zone ?? HOME_ZONE,
    }),
    async () => ({ id: await deps.ids.next('city') }),
  );

  change(adminCityCalls.edit, async ({ params: { id }, body }, { acting }) => ({
    id,
    ...(await editCity(id, body, acting)),
  }));

  change(adminCityCalls.remove, async ({ params: { id } }, { acting }) => {
    await removeCity(deps, id, acting);
    return { message: 'City deleted' };
  });

  change(
    adminVenueCalls.create,
    async ({ body }, { acting, ids }) => {
      const id = await addVenue(deps, body, acting, ids.id);
      return { id, ...body, city: (await cityInUse(body.cityId, acting)).name };
    },
    async () => ({ id: await deps.ids.next('venue') }),
  );

  change(adminVenueCalls.edit, async ({ params: { id }, body }, { acting }) => {
    await editVenue(deps, id, body, acting);
    return { id, ...body, city: (await cityInUse(body.cityId, acting)).name };
  });

  change(adminVenueCalls.remove, async ({ params: { id } }, { acting }) => {
    await removeVenue(deps, id, acting);
    return { message: 'Venue deleted' };
  });
};
