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
import { crudOn } from '#command-api/routes/change.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import type { App } from '#infra/http/server.ts';

export const adminPlaceRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'database' | 'log'>,
): void => {
  const crud = crudOn(app, deps);

  crud(adminCityCalls, {
    newId: () => deps.ids.next('city'),
    create: (id, body, acting) => nameCity(deps, id, body, () => addCity(deps, body, acting, id)),
    edit: (id, body, acting) => editCity(deps, id, body, acting),
    remove: (id, acting) => removeCity(deps, id, acting),
    answer: adminCityOf,
    removed: () => 'City deleted',
  });

  crud(adminVenueCalls, {
    newId: () => deps.ids.next('venue'),
    create: (id, body, acting) => addVenue(deps, body, acting, id),
    edit: (id, body, acting) => editVenue(deps, id, body, acting),
    remove: (id, acting) => removeVenue(deps, id, acting),
    answer: adminVenueOf,
    removed: () => 'Venue deleted',
  });
};
