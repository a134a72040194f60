import * as z from 'zod';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';

/** Stored pictures. Their names come from their content, so they never change. */
export const imageRoutes = (app: App, { images }: QueryContext): void => {
  app.get(
    '/images/:name',
    {
      config: { capability: 'browse', session: 'ignored' },
      schema: { params: z.object({ name: z.string() }) },
    },
    async (request, reply) => {
      const bytes = await images.read(request.params.name);
      if (!bytes) throw new Refusal('NOT_FOUND');
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('image/webp')
        .send(bytes);
    },
  );
};
