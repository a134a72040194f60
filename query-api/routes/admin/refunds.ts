import { toAdminRefund } from '#domain/answers/refunds.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { adminStatus, REFUND_PHASES } from '#domain/refund/state.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { openRefunds, refundStats, refunds } from '#query-api/queries/refunds.ts';
import { atHome, exportedListRoutes } from '#query-api/routes/list.ts';

export const adminRefundRoutes = (app: App, context: QueryContext): void => {
  const { db, keys } = context;
  exportedListRoutes(app, context, refundCalls.list, refundCalls.exportCsv, {
    name: 'refunds',
    sorts: {
      id: 'r.booking_id',
      user: 'p.email',
      event: 'l.title',
      amount: 'r.amount',
      requested: 'r.requested_at',
    },
    usual: '-requested',
    id: 'r.booking_id',
    select({ status, processing, search }) {
      let found = refunds(db);
      if (status)
        found = found.where(
          'r.status',
          'in',
          REFUND_PHASES.filter((one) => adminStatus(one).status === status),
        );
      if (processing) found = found.where('r.processing_type', '=', processing);
      return search ? found.where(contains(['b.reference', 'p.email', 'l.title'], search)) : found;
    },
    items: async (rows) => (await openRefunds(keys, rows)).map(toAdminRefund),
    columns: [
      ['ID', ({ id }) => id],
      ['Booking', ({ bookingReference }) => bookingReference],
      ['Customer', ({ userEmail }) => userEmail],
      ['Event', ({ eventTitle }) => eventTitle],
      ['Paid (GBP)', ({ paidAmount }) => paidAmount],
      ['Refund (GBP)', ({ refundAmount }) => refundAmount],
      ['Reason', ({ refundReason }) => refundReason],
      ['Status', ({ status }) => status],
      ['Processing', ({ processingType }) => processingType],
      ['Decision', ({ decision }) => decision],
      ['Note', ({ note }) => note],
      ['Requested (London)', ({ createdAt }) => atHome(createdAt)],
    ],
  });

  route(app, refundCalls.stats, () => refundStats(db));
};
