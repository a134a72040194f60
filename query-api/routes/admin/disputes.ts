import { sql } from 'kysely';
import { disputeCalls } from '#domain/contracts/admin-disputes.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { listRoute } from '#query-api/routes/list.ts';

export const adminDisputeRoutes = (app: App, { db }: QueryContext): void => {
  const source = {
    sorts: { amount: 'd.amount', opened: 'd.opened_at' },
    usual: sql`d.outcome is not null, d.opened_at desc`,
    id: 'd.id',
    select({ search, status }: QueryOf<typeof disputeCalls.list>) {
      let found = db
        .selectFrom('dispute as d')
        .leftJoin('booking as b', 'b.id', 'd.booking_id')
        .leftJoin('listing as l', 'l.id', 'd.listing_id')
        .leftJoin('person as p', 'p.account_id', 'd.user_id')
        .selectAll('d')
        .select(['b.reference', 'l.title', 'p.email']);
      if (status === 'open') found = found.where('d.outcome', 'is', null);
      else if (status) found = found.where('d.outcome', '=', status);
      return search ? found.where(contains(['b.reference', 'p.email', 'l.title'], search)) : found;
    },
  };
  listRoute(app, disputeCalls.list, source, (rows) =>
    rows.map((row) => ({
      id: row.id,
      bookingId: row.booking_id,
      bookingReference: row.reference,
      userEmail: row.email,
      eventTitle: row.title,
      amount: toDecimal(row.amount),
      reason: row.reason,
      status: row.outcome ?? 'open',
      inquiry: row.inquiry && row.outcome === null,
      dueBy: row.due_by,
      createdAt: row.opened_at,
      closedAt: row.closed_at,
    })),
  );
};
