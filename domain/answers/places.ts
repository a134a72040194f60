import type { AdminCity, AdminVenue } from '#domain/contracts/admin-places.ts';
import { revised } from '#domain/kernel/revision.ts';
import type { CityDetails, VenueDetails } from '#domain/place/events.ts';

/** A city for superusers. */
export const toAdminCity = (id: number, { name, state, country, zone }: CityDetails): AdminCity =>
  revised(id, { name, state, country, zone });

/** A venue for superusers. @param city the name of its city */
export const toAdminVenue = (
  id: number,
  { name, address, cityId, capacity }: VenueDetails,
  city: string,
): AdminVenue => ({ ...revised(id, { name, address, cityId, capacity }), city });
