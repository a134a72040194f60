import { headers } from '#domain/contracts/envelope.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { toDecimal } from '#domain/money.ts';
import { toAdminRefund } from '#domain/refund/answer.ts';
import { adminStatus } from '#domain/refund/state.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { openRefunds, refunds } from '#query-api/queries/refunds.ts';

/** The refunds, and their numbers. */
export const adminRefundRoutes = (app: App, { db, keys }: QueryContext): void => {
  route(app, refundCalls.list, async ({ query: { limit, offset } }, reply) => {
    const total = await db
      .selectFrom('refund')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    const rows = await refunds(db)
      .orderBy('r.requested_at', 'desc')
      .orderBy('r.booking_id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    reply.header(headers.total, total.count);
    return (await openRefunds(keys, rows)).map(toAdminRefund);
  });

  route(app, refundCalls.stats, async () => {
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
