import type { AdminEvent, CreatedEvent } from '#domain/contracts/admin-events.ts';
import type { Event, EventSummary, NOT_BOOKABLE, SafeHtml } from '#domain/contracts/catalogue.ts';
import { freeTickets, type InventoryState } from '#domain/inventory/state.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import { plainText } from '#domain/listing/preview.ts';
import { dayEndOf, type ListingState, shownOf } from '#domain/listing/state.ts';
import { absolute, pictureOf } from './picture.ts';

export interface ListingParts {
  readonly id: number;
  readonly listing: Pick<ListingState, 'details' | 'schedule' | 'featured' | 'active' | 'archived'>;
  readonly inventory: Pick<InventoryState, 'capacity' | 'sold' | 'held' | 'closed'>;
  readonly city: { readonly name: string };
  readonly venue: { readonly name: string };
  readonly category: { readonly name: string };
}

export interface ListingView {
  readonly baseUrl: string;
  readonly now: Date;
  readonly bookingEnabled: boolean;
  /** Events in the log may have been written, or imported, under other rules. */
  readonly sanitize: (html: string) => SafeHtml;
}

type Obstacle = (typeof NOT_BOOKABLE)[number];

const PREVIEW = 200;
const PREVIEWED = 2_000;

const build = ({ id, listing, inventory, city, venue, category }: ListingParts, view: ListingView) => {
  const { details, schedule, featured, active, archived } = listing;
  if (!details || !schedule) throw new Error(`listing ${id} was never created`);
  const free = freeTickets(inventory);
  const notBookable = ((): Obstacle | null => {
    if (archived) return 'archived';
    if (!active) return 'inactive';
    if (inventory.closed === 'started' || Date.parse(schedule.startsAt) <= view.now.getTime())
      return 'started';
    if (free <= 0) return 'sold_out';
    return view.bookingEnabled ? null : 'switched_off';
  })();
  const { title, description, location, price, imageUrl, tags, extras } = details;
  const { date, time, startsAt, zone } = schedule;
  const common = {
    id,
    title,
    category: details.category,
    categoryName: category.name,
    city: city.name,
    venue: venue.name,
    location,
    date,
    time,
    startsAt,
    dayEndsAt: dayEndOf(schedule),
    zone,
    price: toDecimal(price),
    imageUrl: absolute(imageUrl, view.baseUrl),
    picture: pictureOf(imageUrl, view.baseUrl),
    featured,
    availableTickets: Math.max(0, free),
    capacity: inventory.capacity,
    tags: [...tags],
    minimumAge: extras.minimumAge,
    bookable: notBookable === null,
    notBookable,
  };
  return { common, details, description, isActive: active, extras };
};

export const toEventSummary = (parts: ListingParts, view: ListingView): EventSummary => {
  const { common, description } = build(parts, view);
  const preview = plainText(description.slice(0, PREVIEWED)).slice(0, PREVIEW).toWellFormed();
  return { ...common, description: preview };
};

export const toEvent = (parts: ListingParts & Pick<Event, 'movedFrom'>, view: ListingView): Event => {
  const { common, description, isActive, extras } = build(parts, view);
  const movedFrom = parts.movedFrom;
  return { ...common, ...extras, description: view.sanitize(description), isActive, movedFrom };
};

export const toAdminEvent = (parts: ListingParts, view: ListingView): AdminEvent => {
  const { common, details, description, isActive, extras } = build(parts, view);
  const { cityId, venueId } = details;
  const { sold: soldTickets, held: heldTickets, capacity } = parts.inventory;
  const revision = revisionOf({ ...shownOf(parts.listing), capacity });
  const inPlace = { cityId, venueId, soldTickets, heldTickets };
  return { revision, ...common, ...extras, description: view.sanitize(description), isActive, ...inPlace };
};

export const toCreatedEvent = (
  parts: ListingParts,
  view: ListingView,
  _metadata: CreatedEvent['_metadata'],
): CreatedEvent => ({
  ...toAdminEvent(parts, view),
  _metadata,
});
