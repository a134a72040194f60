import type { output } from 'zod/mini';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { type CategoryState, category } from '#domain/content/category.ts';
import type {
  createEventRequest,
  editEventRequest,
  newEventRequest,
} from '#domain/contracts/admin-events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import type { InventoryState } from '#domain/inventory/state.ts';
import { badInput } from '#domain/kernel/decider.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { ListingDetails } from '#domain/listing/events.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { type ListingCommand, listing, type Start } from '#domain/listing/listing.ts';
import type { ListingState } from '#domain/listing/state.ts';
import { city } from '#domain/place/city.ts';
import type { CityDetails, VenueDetails } from '#domain/place/events.ts';
import { venue } from '#domain/place/venue.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import { restoreCategory } from './categories.ts';
import { cityDetailsOf, cityInUse, keepZone, restoreCity, restoreVenue } from './places.ts';

/** `price` is in pence. */
export type ListingRequest = output<typeof createEventRequest> &
  Pick<output<typeof newEventRequest>, 'newCity' | 'newVenue'>;

export type ListingEdit = output<typeof editEventRequest>;

export interface ListingChanged {
  readonly id: number;
  readonly listing: ListingState;
  readonly inventory: InventoryState;
  readonly city: CityDetails;
  readonly venue: VenueDetails;
  readonly category: CategoryState;
}

/** @throws Refusal BAD_INPUT if a city, venue or category is unknown or archived */
const surroundings = async (
  request: ListingEdit & Pick<ListingRequest, 'newCity' | 'newVenue'>,
  acting: ActingHandler,
) => {
  const { cityId, newCity, newVenue } = request;
  const [town, { state: place }, { state: kind }] = await Promise.all([
    newCity ? cityDetailsOf(newCity) : cityInUse(cityId, acting),
    newVenue
      ? { state: { details: { ...newVenue, cityId }, archived: false } }
      : acting.state(venue, request.venueId),
    acting.state(category, request.category),
  ]);
  if (!place.details || place.archived || place.details.cityId !== request.cityId) {
    throw refusalOf(badInput({ venueId: 'Venue selection is required' }));
  }
  if (kind.categoryId === null || kind.archived)
    throw refusalOf(badInput({ category: 'Category is required' }));
  return { city: town, venue: place.details, category: kind };
};

/** Undoes archivings and venue moves that raced with writing the listing. */
const restoreSurroundings = async (
  { cityId, venueId, category: slug }: Pick<ListingDetails, 'cityId' | 'venueId' | 'category'>,
  acting: ActingHandler,
): Promise<void> => {
  await Promise.all([
    restoreCity(cityId, acting),
    restoreVenue(venueId, cityId, acting),
    restoreCategory(slug, acting),
  ]);
};

const followZone = (
  id: number,
  { cityId }: ListingEdit,
  zone: string,
  acting: ActingHandler,
): Promise<void> =>
  keepZone(cityId, zone, acting, (corrected) =>
    // A listing deleted meanwhile refuses the command.
    acting.ask(listing, id, { type: 'CorrectZone', zone: corrected, at: acting.context.at }),
  );

const detailsOf = (request: ListingEdit, before?: ListingDetails | null): ListingDetails => ({
  title: request.title,
  description: sanitizeDescription(request.description),
  category: request.category,
  cityId: request.cityId,
  venueId: request.venueId,
  location: request.location,
  price: request.price,
  imageUrl: request.imageUrl ?? null,
  tags: request.tags ? [...new Set(request.tags)] : (before?.tags ?? []),
  extras: extrasOf(request, before?.extras),
});

const startOf = ({ date, time }: ListingEdit, { zone }: CityDetails): Start => ({ date, time, zone });

export const newListingId = ({ ids }: Pick<CommandDeps, 'ids'>): Promise<number> => ids.next('listing');

/**
 * The listing comes last, so that none is ever without tickets. Repeatable with the same id.
 * @throws Refusal BAD_INPUT
 */
export const addListing = async (
  id: number,
  request: ListingRequest,
  acting: ActingHandler,
): Promise<ListingChanged> => {
  const { at } = acting.context;
  const around = await surroundings(request, acting);
  const command = {
    type: 'CreateListing',
    listingId: id,
    details: detailsOf(request),
    start: startOf(request, around.city),
    featured: request.featured,
    at,
  } as const;
  await acting.preview(listing, id, command);
  const { cityId, venueId, newCity, newVenue } = request;
  if (newCity) await acting.do(city, cityId, { type: 'AddCity', cityId, ...around.city });
  if (newVenue) await acting.do(venue, venueId, { type: 'AddVenue', venueId, ...newVenue, cityId });
  const { capacity } = request;
  const opened = await acting.do(inventory, id, { type: 'OpenInventory', listingId: id, capacity });
  const tickets =
    opened.state.capacity === capacity
      ? opened
      : await acting.do(inventory, id, { type: 'ChangeCapacity', capacity });
  const created = await acting.do(listing, id, command);
  await restoreSurroundings(request, acting);
  // On a repeat, the listing has the zone of the first attempt.
  await followZone(id, request, created.state.schedule?.zone ?? around.city.zone, acting);
  const { state } = await acting.state(listing, id);
  return { id, listing: state, inventory: tickets.state, ...around };
};

/**
 * The capacity changes first: sales may refuse it.
 * @throws Refusal BAD_INPUT, LISTING_NOT_FOUND, LISTING_ARCHIVED, CAPACITY_TOO_SMALL
 */
export const editListing = async (id: number, request: ListingEdit, acting: ActingHandler): Promise<void> => {
  const { at } = acting.context;
  const { state: before } = await acting.state(listing, id);
  if (before.listingId === null) throw new Refusal('LISTING_NOT_FOUND');
  const around = await surroundings(request, acting);
  const details = detailsOf(request, before.details);
  const { featured, isActive, capacity } = request;
  const commands: ListingCommand[] = [
    { type: 'EditListing', details, start: startOf(request, around.city), at },
    ...(typeof featured !== 'boolean' ? [] : [{ type: 'FeatureListing', featured } as const]),
    ...(typeof isActive !== 'boolean'
      ? []
      : [{ type: isActive ? 'ActivateListing' : 'DeactivateListing' } as const]),
  ];
  for (const command of commands) await acting.preview(listing, id, command);
  await acting.do(inventory, id, { type: 'ChangeCapacity', capacity });
  for (const command of commands) await acting.do(listing, id, command);
  await restoreSurroundings(request, acting);
  await followZone(id, request, around.city.zone, acting);
};

export const listingNow = async (id: number, acting: ActingHandler): Promise<ListingChanged> => {
  const [{ state }, tickets] = await Promise.all([acting.state(listing, id), acting.state(inventory, id)]);
  if (!state.details) throw new Refusal('LISTING_NOT_FOUND');
  const { cityId, venueId, category: slug } = state.details;
  const [town, place, kind] = await Promise.all([
    acting.state(city, cityId),
    acting.state(venue, venueId),
    acting.state(category, slug),
  ]);
  if (!town.state.details || !place.state.details) throw new Refusal('LISTING_NOT_FOUND');
  return {
    id,
    listing: state,
    inventory: tickets.state,
    city: town.state.details,
    venue: place.state.details,
    category: kind.state,
  };
};

export const setFeatured = (id: number, featured: boolean, acting: ActingHandler) =>
  acting.do(listing, id, { type: 'FeatureListing', featured });
