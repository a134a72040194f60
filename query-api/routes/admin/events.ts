import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { toAdminEvent } from '#domain/listing/answer.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { listingParts, listings } from '#query-api/queries/listings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';

const MOST_LISTED = 2_000;

/** The catalogue as superusers see it, the latest start first. */
export const adminEventRoutes = (app: App, { db, clock, config }: QueryContext): void => {
  route(app, adminEventCalls.list, async (_request, reply) => {
    const rows = await listings(db)
      .where('l.archived', '=', false)
      .orderBy('l.starts_at', 'desc')
      .orderBy('l.id', 'desc')
      .limit(MOST_LISTED)
      .execute();
    const { count } = await db
      .selectFrom('listing')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('archived', '=', false)
      .executeTakeFirstOrThrow();
    const { bookingEnabled } = await loadSettings(db);
    reply.header(headers.total, count);
    const view = { baseUrl: config.baseUrl, now: clock(), bookingEnabled };
    return rows.map((row) => toAdminEvent(listingParts(row), view));
  });
};
