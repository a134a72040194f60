import { headers, offsetPage } from '#domain/contracts/envelope.ts';
import type { AdminRefund, RefundStats } from '#domain/contracts/refunds.ts';
import { toDecimal } from '#domain/money.ts';
import { adminStatus } from '#domain/refund/state.ts';
import type { App } from '#infra/http/server.ts';
import { openTexts, refundDecisionPlace, refundReasonPlace } from '#infra/read-models/sealed-text.ts';
import type { QueryContext } from '#query-api/server.ts';

const superuser = { capability: 'administer' } as const;

/** `GET /api/admin/refunds`, the latest first, and their numbers. */
export const adminRefundRoutes = (app: App, { db, keys }: QueryContext): void => {
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
      const texts = await openTexts(
        keys,
        rows.flatMap((row) => {
          const decision = row.status === 'denied' ? 'denied' : 'approved';
          return [
            { text: row.reason, place: refundReasonPlace(row.booking_id) },
            {
              text: decision === 'denied' ? row.denial_reason : row.notes,
              place: refundDecisionPlace(row.booking_id, decision),
            },
          ];
        }),
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
          refundReason: texts[2 * index] ?? null,
          status,
          processingType: row.processing_type,
          note: row.failure ?? note,
          decision: texts[2 * index + 1] ?? null,
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
