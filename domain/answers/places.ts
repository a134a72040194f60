import type { AdminCity, AdminVenue } from '#domain/contracts/admin-places.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import type { CityDetails, VenueDetails } from '#domain/place/events.ts';

/** A city for superusers. */
export const toAdminCity = (id: number, { name, state, country, zone }: CityDetails): AdminCity => {
  const shown = { name, state, country, zone };
  return { id, ...shown, revision: revisionOf(shown) };
};

/** A venue for superusers. @param city the name of its city */
export const toAdminVenue = (
  id: number,
  { name, address, cityId, capacity }: VenueDetails,
  city: string,
): AdminVenue => {
  const shown = { name, address, cityId, capacity };
  return { id, ...shown, city, revision: revisionOf(shown) };
};
