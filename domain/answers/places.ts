import type { AdminCity, AdminVenue } from '#domain/contracts/admin-places.ts';
import { revised } from '#domain/kernel/revision.ts';
import type { CityDetails, VenueDetails } from '#domain/place/events.ts';

export const toAdminCity = (id: number, { name, state, country, zone }: CityDetails): AdminCity =>
  revised(id, { name, state, country, zone });

export const toAdminVenue = (
  id: number,
  { name, address, cityId, capacity }: VenueDetails,
  city: string,
): AdminVenue => ({ ...revised(id, { name, address, cityId, capacity }), city });
