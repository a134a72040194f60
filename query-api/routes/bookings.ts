import type { FastifyRequest } from 'fastify';
import { toBooking, toCancellationQuote } from '#domain/booking/answer.ts';
import type { Booking, CancellationQuote, TrailEntry } from '#domain/contracts/bookings.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { idParams } from '#domain/contracts/fields.ts';
import { Refusal } from '#domain/refusal.ts';
import { demandSignedIn } from '#infra/http/principal.ts';
import type { App } from '#infra/http/server.ts';
import {
  type BookingWithListing,
  bookingParts,
  bookings,
  openBookings,
} from '#query-api/queries/bookings.ts';
import { readTrail } from '#query-api/queries/trail.ts';
import type { QueryContext } from '#query-api/server.ts';

/** One's own bookings. Somebody else's answer 404, like one that does not exist. */
export const bookingRoutes = (app: App, context: QueryContext): void => {
  const { db, clock, config, log, codec, keys } = context;
  const own = { capability: 'use-bookings' } as const;

  const ownBooking = async (request: FastifyRequest, id: number): Promise<BookingWithListing> => {
    const { accountId } = demandSignedIn(request.principal);
    const row = await bookings(db)
      .where('b.id', '=', id)
      .where('b.user_id', '=', accountId)
      .executeTakeFirst();
    if (!row) throw new Refusal('BOOKING_NOT_FOUND');
    return row;
  };

  const show = async (rows: readonly BookingWithListing[]): Promise<Booking[]> => {
    const view = { baseUrl: config.baseUrl, now: clock() };
    return (await openBookings(keys, rows)).map((parts) => toBooking(parts, view));
  };

  app.get('/api/bookings', { config: own }, async (request, reply): Promise<Booking[]> => {
    const rows = await bookings(db)
      .where('b.user_id', '=', demandSignedIn(request.principal).accountId)
      .orderBy('l.starts_at')
      .orderBy('b.id')
      .limit(1_000)
      .execute();
    reply.header(headers.total, rows.length);
    return show(rows);
  });

  app.get(
    '/api/bookings/:id',
    { config: own, schema: { params: idParams() } },
    async (request): Promise<Booking> => {
      const row = await ownBooking(request, request.params.id);
      const [shown] = await show([row]);
      if (!shown) throw new Refusal('BOOKING_NOT_FOUND');
      return shown;
    },
  );

  app.get(
    '/api/bookings/:id/cancellation',
    { config: own, schema: { params: idParams() } },
    async (request): Promise<CancellationQuote> =>
      toCancellationQuote(bookingParts(await ownBooking(request, request.params.id)), clock()),
  );

  app.get(
    '/api/bookings/:id/history',
    { config: own, schema: { params: idParams() } },
    async (request, reply): Promise<TrailEntry[]> => {
      const row = await ownBooking(request, request.params.id);
      const trail = await readTrail(log, codec, {
        bookingId: row.id,
        userId: row.user_id,
        listingId: row.listing_id,
        attempt: row.attempt,
        placedAt: row.placed_at,
        zone: row.zone,
      });
      reply.header(headers.total, trail.length);
      return trail;
    },
  );
};
