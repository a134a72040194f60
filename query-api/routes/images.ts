import * as z from 'zod';
import { posterPath } from '#domain/answers/picture.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { openPosterDrawer } from '#infra/posters/poster-drawer.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { listings } from '#query-api/queries/listings.ts';

const OPEN = { capability: 'browse', session: 'ignored' } as const;
const FOR_GOOD = 'public, max-age=31536000, immutable';

export const imageRoutes = (app: App, { images, db }: QueryContext): void => {
  // Names are derived from content, so files never change.
  app.get(
    '/images/:name',
    { config: OPEN, schema: { params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const bytes = await images.read(request.params.name);
      if (!bytes) throw new Refusal('NOT_FOUND');
      return reply.header('cache-control', FOR_GOOD).type('image/webp').send(bytes);
    },
  );

  const posters = openPosterDrawer();
  app.addHook('onClose', () => posters.close());
  app.get(
    '/images/posters/:name',
    { config: OPEN, schema: { hide: true, params: z.object({ name: z.string() }) } },
    async (request, reply) => {
      const id = /^([1-9]\d{0,8})-[0-9a-z]+\.svg$/.exec(request.params.name)?.[1];
      const listing = id && (await listings(db).where('l.id', '=', Number(id)).executeTakeFirst());
      if (!listing) throw new Refusal('LISTING_NOT_FOUND');
      // An older page asks for the old path and gets the current poster.
      const isPresent = request.url === posterPath(listing);
      return reply
        .header('cache-control', isPresent ? FOR_GOOD : 'no-store')
        .type('image/svg+xml')
        .send(await posters.draw(listing));
    },
  );
};
