import { slugNamed } from '#command-api/catalogue/categories.ts';
import { nameCity } from '#command-api/catalogue/city-names.ts';
import {
  addListing,
  editListing,
  listingNow,
  newListingId,
  setFeatured,
} from '#command-api/catalogue/listings.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { deleteListing } from '#command-api/purchase/delete-listing.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { type ListingView, toAdminEvent, toCreatedEvent } from '#domain/answers/listings.ts';
import { stored } from '#domain/answers/picture.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { refusalOf } from '#domain/kernel/refusal.ts';
import { howDeleted } from '#domain/listing/how-deleted.ts';
import { listing } from '#domain/listing/listing.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import type { App } from '#infra/http/server.ts';

export const adminEventRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'ids' | 'clock' | 'replies' | 'config' | 'database' | 'log'> & {
    readonly purchases: Purchases;
  },
): void => {
  const { clock, purchases } = deps;
  const { baseUrl } = deps.config;
  const change = changesOn(app, deps);
  const viewOf = async (acting: ActingHandler): Promise<ListingView> => {
    const { state: settings } = await acting.state(siteConfig, SITE_CONFIG);
    const bookingEnabled = settingOf(settings, 'booking_enabled') !== 'false';
    return { baseUrl, now: clock(), bookingEnabled, sanitize: sanitizeDescription };
  };

  change(
    adminEventCalls.create,
    async ({ body }, { acting, ids: { id, ...places } }) => {
      const { cityId = places.cityId, venueId = places.venueId, ...form } = body;
      const { newCity, newVenue } = form;
      const imageUrl = stored(form.imageUrl || null, baseUrl);
      const category = await slugNamed(deps, form.category);
      const add = () => addListing(id, { ...form, category, cityId, venueId, imageUrl }, acting);
      const added = await (newCity ? nameCity(deps, cityId, newCity, add) : add());
      const _metadata = { newCityCreated: !!newCity, newVenueCreated: !!newVenue };
      return toCreatedEvent(added, await viewOf(acting), _metadata);
    },
    async () => ({
      id: await newListingId(deps),
      cityId: await deps.ids.next('city'),
      venueId: await deps.ids.next('venue'),
    }),
  );

  editsOn(app, deps)(
    adminEventCalls.edit,
    async ({ params: { id }, body }, acting) => {
      const category = await slugNamed(deps, body.category);
      await editListing(id, { ...body, category, imageUrl: stored(body.imageUrl || null, baseUrl) }, acting);
    },
    async ({ params: { id } }, acting) => toAdminEvent(await listingNow(id, acting), await viewOf(acting)),
  );

  change(adminEventCalls.feature, async ({ params: { id }, body: { featured } }, { acting }) => {
    await setFeatured(id, featured, acting);
    return { message: featured ? 'Event featured' : 'Event no longer featured' };
  });

  change(adminEventCalls.remove, async ({ params: { id }, body }, { acting }) => {
    const { state } = await acting.state(listing, id);
    if (howDeleted(state, body?.refund, clock()) === 'kept') {
      await acting.do(listing, id, { type: 'ArchiveListing' });
      return { message: 'Event deleted. Its bookings stay as they are.' };
    }
    const rest = await deleteListing(purchases, id, acting, { until: 'archived' });
    if (typeof rest === 'object') throw refusalOf(rest);
    return { message: 'Event deleted' };
  });
};
