import { addListing, type ListingChanged, newListingId } from '#command-api/catalogue/listings.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { createOnce } from '#command-api/idempotency/once.ts';
import { type CreatedEvent, createEventRequest } from '#domain/contracts/admin-events.ts';
import { freeTickets } from '#domain/inventory/state.ts';
import { toDecimal } from '#domain/money.ts';
import { contextOf } from '#infra/http/context.ts';
import type { App } from '#infra/http/server.ts';
import { absolute } from '#infra/images/picture.ts';

const toCreated = (changed: ListingChanged, baseUrl: string): CreatedEvent => {
  const { details, schedule, featured, active } = changed.listing;
  if (!details || !schedule) throw new Error(`Listing ${changed.id} was created without details`);
  return {
    id: changed.id,
    title: details.title,
    description: details.description,
    category: details.category,
    city: changed.city.name,
    cityId: details.cityId,
    venue: changed.venue.name,
    venueId: details.venueId,
    location: details.location,
    date: schedule.date,
    time: schedule.time,
    startsAt: schedule.startsAt,
    zone: schedule.zone,
    price: toDecimal(details.price),
    imageUrl: absolute(details.imageUrl, baseUrl),
    featured,
    isActive: active,
    capacity: changed.inventory.capacity,
    availableTickets: freeTickets(changed.inventory),
    tags: [...details.tags],
    _metadata: { newCityCreated: false, newVenueCreated: false },
  };
};

/** Changes to listings by superusers: `POST /api/admin/events`. */
export const adminEventRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'log' | 'config'>,
): void => {
  const once = createOnce(deps);
  app.post(
    '/api/admin/events',
    { config: { capability: 'administer' }, schema: { body: createEventRequest } },
    (request, reply) =>
      once(request, reply, {
        allocate: async () => ({ id: await newListingId(deps) }),
        async execute({ id }) {
          const acting = deps.lane.as(contextOf(request, deps.clock));
          const changed = await addListing(id, request.body, acting);
          const { position } = acting;
          return { status: 201, body: toCreated(changed, deps.config.baseUrl), position };
        },
      }),
  );
};
