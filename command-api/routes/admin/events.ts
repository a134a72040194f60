import { addListing, newListingId } from '#command-api/catalogue/listings.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { createOnce } from '#command-api/idempotency/once.ts';
import { SITE_CONFIG, settingOf, siteConfig } from '#domain/content/site-config.ts';
import { createEventRequest } from '#domain/contracts/admin-events.ts';
import { toCreatedEvent } from '#domain/listing/answer.ts';
import { contextOf } from '#infra/http/context.ts';
import type { App } from '#infra/http/server.ts';

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
          const { state: settings } = await acting.state(siteConfig, SITE_CONFIG);
          const view = {
            baseUrl: deps.config.baseUrl,
            now: deps.clock(),
            bookingEnabled: settingOf(settings, 'booking_enabled') !== 'false',
          };
          return { status: 201, body: toCreatedEvent(changed, view), position: acting.position };
        },
      }),
  );
};
