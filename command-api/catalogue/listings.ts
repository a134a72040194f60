import type { output } from 'zod/mini';
import { category } from '#domain/content/category.ts';
import type { createEventRequest } from '#domain/contracts/admin-events.ts';
import { isRejection } from '#domain/decider.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import type { InventoryState } from '#domain/inventory/state.ts';
import type { ListingDetails } from '#domain/listing/events.ts';
import { type ListingCommand, listing, type Start } from '#domain/listing/listing.ts';
import type { ListingState } from '#domain/listing/state.ts';
import type { CityDetails, VenueDetails } from '#domain/place/events.ts';
import { venue } from '#domain/place/venue.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import { accepted, fromRejection, HttpError } from '#infra/http/errors.ts';
import { sanitizeDescription } from '#infra/http/sanitize-html.ts';

import type { CatalogueDeps } from './deps.ts';
import { latest } from './latest.ts';
import { cityInUse } from './places.ts';

/** The event form, parsed: `price` in pence. */
export type ListingRequest = output<typeof createEventRequest>;

/** A listing after it was made or edited, as the streams tell it. */
export interface ListingChanged {
  readonly id: number;
  readonly listing: ListingState;
  readonly inventory: InventoryState;
  readonly city: CityDetails;
  readonly venue: VenueDetails;
  readonly position: Position;
}

const refuse = (field: string, message: string): HttpError =>
  new HttpError('BAD_INPUT', { fields: { [field]: message }, errors: [message] }, { message });

/** What the form names, looked up in the streams: a category in use, a city, and a venue of that city. */
const surroundings = async ({ lane }: CatalogueDeps, request: ListingRequest) => {
  const [city, { state: place }, { state: kind }] = await Promise.all([
    cityInUse({ lane }, request.cityId),
    lane.state(venue, request.venueId),
    lane.state(category, request.category),
  ]);
  if (!place.details || place.archived || place.details.cityId !== request.cityId) {
    throw refuse('venueId', 'Venue selection is required');
  }
  if (kind.categoryId === null || kind.archived) throw refuse('category', 'Category is required');
  return { city, venue: place.details };
};

const detailsOf = (request: ListingRequest): ListingDetails => ({
  title: request.title,
  description: sanitizeDescription(request.description),
  category: request.category,
  cityId: request.cityId,
  venueId: request.venueId,
  location: request.location,
  price: request.price,
  imageUrl: request.imageUrl ?? null,
  tags: [...new Set(request.tags ?? [])],
});

const startOf = ({ date, time }: ListingRequest, { zone }: CityDetails): Start => ({ date, time, zone });

/** Refuses what the rules refuse before another stream is written for it. */
const rehearse = (state: ListingState, command: ListingCommand): void => {
  const decision = listing.decide(state, command);
  if (isRejection(decision)) throw fromRejection(decision);
};

const resize = async ({ lane, clock }: CatalogueDeps, id: number, capacity: number, context: Context) => {
  const change = { type: 'ChangeCapacity', capacity } as const;
  return accepted(await lane.execute(inventory, id, change, following(context, clock)));
};

/** An id for a listing that is to be made; a repeat of the request takes the same one. */
export const newListingId = ({ ids }: Pick<CatalogueDeps, 'ids'>): Promise<number> => ids.next('listing');

/**
 * Makes a listing with its tickets. The inventory is opened first: cut off in between, there are tickets that nobody sees, and
 * never a listing without tickets. A repeat with the same id finishes it, or changes nothing.
 * @throws HttpError BAD_INPUT
 */
export const addListing = async (
  deps: CatalogueDeps,
  id: number,
  request: ListingRequest,
  context: Context,
): Promise<ListingChanged> => {
  const { lane } = deps;
  const around = await surroundings(deps, request);
  const command = {
    type: 'CreateListing',
    listingId: id,
    details: detailsOf(request),
    start: startOf(request, around.city),
    featured: request.featured,
    at: context.at,
  } as const;
  rehearse(listing.initial, command);
  const { capacity } = request;
  const open = { type: 'OpenInventory', listingId: id, capacity } as const;
  const opened = accepted(await lane.execute(inventory, id, open, following(context, deps.clock)));
  const tickets = opened.state.capacity === capacity ? opened : await resize(deps, id, capacity, context);
  const created = accepted(await lane.execute(listing, id, command, following(context, deps.clock)));
  return {
    id,
    listing: created.state,
    inventory: tickets.state,
    ...around,
    position: latest(tickets.position, created.position),
  };
};

/**
 * Edits a listing, its start and its number of tickets. The capacity goes first, since it alone can be refused by what others do.
 * @throws HttpError BAD_INPUT, LISTING_NOT_FOUND, LISTING_ARCHIVED, CAPACITY_TOO_SMALL
 */
export const editListing = async (
  deps: CatalogueDeps,
  id: number,
  request: ListingRequest,
  context: Context,
): Promise<ListingChanged> => {
  const { lane } = deps;
  const before = (await lane.state(listing, id)).state;
  if (before.listingId === null) throw new HttpError('LISTING_NOT_FOUND');
  const around = await surroundings(deps, request);
  const command = {
    type: 'EditListing',
    details: detailsOf(request),
    start: startOf(request, around.city),
    at: context.at,
  } as const;
  rehearse(before, command);
  const resized = await resize(deps, id, request.capacity, context);
  const edited = accepted(await lane.execute(listing, id, command, following(context, deps.clock)));
  const featured = await setFeatured(deps, id, request.featured, context);
  const position = latest(resized.position, edited.position, featured);
  return { id, listing: edited.state, inventory: resized.state, ...around, position };
};

/** Features a listing, or no longer. @throws HttpError LISTING_NOT_FOUND, LISTING_ARCHIVED */
export const setFeatured = async (
  deps: CatalogueDeps,
  id: number,
  featured: boolean,
  context: Context,
): Promise<Position> => {
  const command = { type: 'FeatureListing', featured } as const;
  return accepted(await deps.lane.execute(listing, id, command, following(context, deps.clock))).position;
};

/** Switches a listing on or off: an inactive one's page still opens, with booking disabled. @throws HttpError LISTING_NOT_FOUND, LISTING_ARCHIVED */
export const setActive = async (
  deps: CatalogueDeps,
  id: number,
  active: boolean,
  context: Context,
): Promise<Position> => {
  const command = { type: active ? 'ActivateListing' : 'DeactivateListing' } as const;
  return accepted(await deps.lane.execute(listing, id, command, following(context, deps.clock))).position;
};
