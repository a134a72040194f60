import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { toAdminCity, toAdminVenue } from '#domain/answers/places.ts';
import type { AdminCity, AdminVenue, CityRequest, VenueRequest } from '#domain/contracts/admin-places.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { HOME_ZONE } from '#domain/kernel/zone.ts';
import { listing } from '#domain/listing/listing.ts';
import { city } from '#domain/place/city.ts';
import type { CityDetails } from '#domain/place/events.ts';
import type { Use } from '#domain/place/state.ts';
import { venue } from '#domain/place/venue.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { nameCity } from './city-names.ts';
import { caughtUp, changeUnused } from './uses.ts';

export const cityDetailsOf = ({ name, state, country, zone = HOME_ZONE }: CityRequest): CityDetails => ({
  name,
  state,
  country,
  zone,
});

export const addCity = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  request: CityRequest,
  acting: ActingHandler,
  id?: number,
): Promise<number> => {
  const cityId = id ?? (await ids.next('city'));
  await acting.do(city, cityId, { type: 'AddCity', cityId, ...cityDetailsOf(request) });
  return cityId;
};

/**
 * Repeats until the zone is stable. Zone corrections and listing edits write first and read afterwards, so
 * that one of two concurrent ones sees the other.
 */
export const keepZone = async (
  cityId: number,
  zone: string,
  acting: ActingHandler,
  bring: (zone: string) => Promise<unknown>,
): Promise<void> => {
  for (let brought = zone; ; ) {
    const { details } = (await acting.state(city, cityId)).state;
    if (!details || details.zone === brought) return;
    brought = details.zone;
    await bring(brought);
  }
};

/**
 * Upcoming listings only.
 * @throws Refusal UNAVAILABLE while the read model is behind
 */
const correctZones = async (
  { database }: Pick<CommandDeps, 'database'>,
  cityId: number,
  zone: string,
  acting: ActingHandler,
): Promise<void> => {
  await caughtUp(database, acting.position);
  const { at } = acting.context;
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from ${LIVE}.listing
      where city_id = $1 and zone <> $2 and not archived and starts_at > $3::timestamptz - interval '2 days'`,
    [cityId, zone, at],
  );
  // A listing deleted meanwhile refuses the command.
  for (const { id } of rows) await acting.ask(listing, id, { type: 'CorrectZone', zone, at });
};

/**
 * Events keep their local dates and times. Saving again finishes interrupted work.
 * @throws Refusal NOT_FOUND, BAD_INPUT, NAME_TAKEN, UNAVAILABLE
 */
export const editCity = async (
  deps: Pick<CommandDeps, 'database' | 'log'>,
  id: number,
  request: CityRequest,
  acting: ActingHandler,
): Promise<void> => {
  const { details, archived } = (await acting.state(city, id)).state;
  const zone = request.zone ?? details?.zone ?? HOME_ZONE;
  const edit = () => acting.do(city, id, { type: 'EditCity', ...cityDetailsOf({ ...request, zone }) });
  const keepsName = (['name', 'state', 'country'] as const).every(
    (part) => request[part] === details?.[part],
  );
  if (!details || archived || keepsName) await edit();
  else await nameCity(deps, id, request, edit);
  if (!request.zone) return;
  const bring = (to: string) => correctZones(deps, id, to, acting);
  await bring(zone);
  await keepZone(id, zone, acting, bring);
};

export const adminCityOf = async (id: number, acting: ActingHandler): Promise<AdminCity> => {
  const { details } = (await acting.state(city, id)).state;
  if (!details) throw new Refusal('NOT_FOUND');
  return toAdminCity(id, details);
};

/** @throws Refusal NOT_FOUND; IN_USE, with the uses in the message */
export const removeCity = async (
  { database }: Pick<CommandDeps, 'database'>,
  id: number,
  acting: ActingHandler,
): Promise<void> => {
  await changeUnused(database, ['city', id], acting, {
    change: (usedBy) => acting.do(city, id, { type: 'ArchiveCity', usedBy }),
    restore: () => restoreCity(id, acting),
  });
};

export const restoreCity = (id: number, acting: ActingHandler) =>
  acting.do(city, id, { type: 'RestoreCity' });

export const cityInUse = async (id: number, acting: ActingHandler): Promise<CityDetails> => {
  const { state } = await acting.state(city, id);
  if (state.details && !state.archived) return state.details;
  throw refusalOf(badInput({ cityId: 'City selection is required' }));
};

export const addVenue = async (
  { ids }: Pick<CommandDeps, 'ids'>,
  request: VenueRequest,
  acting: ActingHandler,
  id?: number,
): Promise<number> => {
  await cityInUse(request.cityId, acting);
  const venueId = id ?? (await ids.next('venue'));
  await acting.do(venue, venueId, { type: 'AddVenue', venueId, ...request });
  await restoreCity(request.cityId, acting);
  return venueId;
};

export const adminVenueOf = async (id: number, acting: ActingHandler): Promise<AdminVenue> => {
  const { details } = (await acting.state(venue, id)).state;
  if (!details) throw new Refusal('NOT_FOUND');
  return toAdminVenue(id, details, (await adminCityOf(details.cityId, acting)).name);
};

/** @throws Refusal NOT_FOUND; BAD_INPUT if the city is unknown or archived; IN_USE */
export const editVenue = async (
  { database }: Pick<CommandDeps, 'database'>,
  id: number,
  request: VenueRequest,
  acting: ActingHandler,
): Promise<void> => {
  const { cityId } = request;
  await cityInUse(cityId, acting);
  const { details } = (await acting.state(venue, id)).state;
  const edit = (usedBy: readonly Use[]) => acting.do(venue, id, { type: 'EditVenue', usedBy, ...request });
  if (!details || details.cityId === cityId) await edit([]);
  else
    await changeUnused(database, ['move', id, cityId], acting, {
      change: edit,
      restore: () => restoreVenue(id, details.cityId, acting),
    });
  await restoreCity(cityId, acting);
};

/** @throws Refusal NOT_FOUND; IN_USE, with the listings in the message */
export const removeVenue = async (
  { database }: Pick<CommandDeps, 'database'>,
  id: number,
  acting: ActingHandler,
): Promise<void> => {
  const { details } = (await acting.state(venue, id)).state;
  await changeUnused(database, ['venue', id], acting, {
    change: (usedBy) => acting.do(venue, id, { type: 'ArchiveVenue', usedBy }),
    restore: () => restoreVenue(id, details?.cityId ?? 0, acting),
  });
};

export const restoreVenue = (id: number, cityId: number, acting: ActingHandler) =>
  acting.do(venue, id, { type: 'RestoreVenue', cityId });
