import { addListing, newListingId } from '#command-api/catalogue/listings.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { toCreatedEvent } from '#domain/listing/answer.ts';
import type { App } from '#infra/http/server.ts';

/** Changes to listings by superusers. */
export const adminEventRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'replies' | 'config'>,
): void => {
  const change = changesOn(app, deps);

  change(
    adminEventCalls.create,
    async ({ body }, { acting, ids }) => {
      const changed = await addListing(ids.id, body, acting);
      const { state: settings } = await acting.state(siteConfig, SITE_CONFIG);
      const bookingEnabled = settingOf(settings, 'booking_enabled') !== 'false';
      return toCreatedEvent(changed, { baseUrl: deps.config.baseUrl, now: deps.clock(), bookingEnabled });
    },
    async () => ({ id: await newListingId(deps) }),
  );
};
