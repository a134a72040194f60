import * as z from 'zod';
import type { AdminEvent } from '#domain/contracts/admin-events.ts';
import type { AdminCity, AdminVenue } from '#domain/contracts/admin-places.ts';
import { headers, offsetPage } from '#domain/contracts/envelope.ts';
import { idText } from '#domain/contracts/fields.ts';
import type { AdminRefund, RefundStats } from '#domain/contracts/refunds.ts';
import { toDecimal } from '#domain/money.ts';
import { adminStatus } from '#domain/refund/state.ts';
import type { App } from '#infra/http/server.ts';
import { openTexts, refundReasonPlace } from '#infra/read-models/sealed-text.ts';
import { listings, toAdminEvent } from '../queries/listings.ts';
import { loadSettings } from '../queries/settings.ts';
import type { QueryContext } from '../server.ts';

const MOST_LISTED = 2_000;

/** What superusers see of the catalogue and of the refunds. */
export const adminRoutes = (app: App, { db, clock, config, keys }: QueryContext): void => {
  const superuser = { capability: 'administer' } as const;

  app.get('/api/admin/events', { config: superuser }, async (_request, reply): Promise<AdminEvent[]> => {
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
    return rows.map((row) => toAdminEvent(row, { baseUrl: config.baseUrl, now: clock(), bookingEnabled }));
  });

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

  app.get(
    '/api/admin/refunds',
    { config: superuser, schema: { querystring: offsetPage } },
    async (request, reply): Promise<AdminRefund[]> => {
      const { limit, offset } = request.query;
      const total = await db
        .selectFrom('refund')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom('refund as r')
        .innerJoin('booking as b', 'b.id', 'r.booking_id')
        .leftJoin('listing as l', 'l.id', 'r.listing_id')
        .leftJoin('person as p', 'p.account_id', 'r.user_id')
        .selectAll('r')
        .select(['b.reference', 'l.title', 'p.email'])
        .orderBy('r.requested_at', 'desc')
        .orderBy('r.booking_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      reply.header(headers.total, total.count);
      const reasons = await openTexts(
        keys,
        rows.map((row) => ({ text: row.reason, place: refundReasonPlace(row.booking_id) })),
      );
      return rows.map((row, index) => {
        const { status, note } = adminStatus(row.status);
        return {
          id: row.booking_id,
          bookingId: row.booking_id,
          bookingReference: row.reference,
          userId: row.user_id,
          userEmail: row.email,
          eventId: row.listing_id,
          eventTitle: row.title,
          refundAmount: toDecimal(row.amount),
          paidAmount: toDecimal(row.paid),
          refundReason: reasons[index] ?? null,
          status,
          processingType: row.processing_type,
          note: row.failure ?? note,
          decision: row.status === 'denied' ? row.denial_reason : row.notes,
          createdAt: row.requested_at,
        };
      });
    },
  );

  app.get('/api/admin/refunds/stats', { config: superuser }, async (): Promise<RefundStats> => {
    const rows = await db
      .selectFrom('refund')
      .select((eb) => [
        'status',
        eb.fn.countAll<string>().as('count'),
        eb.fn.sum<string>('amount').as('amount'),
      ])
      .groupBy('status')
      .execute();
    const stats = { total: 0, pending: 0, completed: 0, amount: 0 };
    for (const row of rows) {
      const count = Number(row.count);
      const { status } = adminStatus(row.status);
      stats.total += count;
      stats.amount += Number(row.amount);
      if (status === 'processing') stats.pending += count;
      if (status === 'completed') stats.completed += count;
    }
    const { amount, ...counts } = stats;
    return { ...counts, totalAmount: toDecimal(amount) };
  });
};
