import * as z from 'zod';
import type { AdminCity, AdminVenue } from '#domain/contracts/admin-places.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { idText } from '#domain/contracts/fields.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/server.ts';

const superuser = { capability: 'administer' } as const;

/** `GET /api/admin/cities` and `/api/admin/venues*`. */
export const adminPlaceRoutes = (app: App, { db }: QueryContext): void => {
  app.get('/api/admin/cities', { config: superuser }, async (_request, reply): Promise<AdminCity[]> => {
    const rows = await db
      .selectFrom('city')
      .select(['id', 'name', 'state', 'country', 'zone'])
      .where('archived', '=', false)
      .orderBy('name')
      .execute();
    reply.header(headers.total, rows.length);
    return rows;
  });

  const venues = async (cityId?: number): Promise<AdminVenue[]> => {
    const all = db
      .selectFrom('venue')
      .select(['id', 'name', 'address', 'city_id as cityId', 'capacity'])
      .where('archived', '=', false)
      .orderBy('name');
    return (cityId === undefined ? all : all.where('city_id', '=', cityId)).execute();
  };

  app.get('/api/admin/venues', { config: superuser }, async (_request, reply) => {
    const rows = await venues();
    reply.header(headers.total, rows.length);
    return rows;
  });

  app.get(
    '/api/admin/venues/by-city/:cityId',
    { config: superuser, schema: { params: z.object({ cityId: idText() }) } },
    async (request, reply) => {
      const rows = await venues(request.params.cityId);
      reply.header(headers.total, rows.length);
      return rows;
    },
  );
};
