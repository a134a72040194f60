import { sayTurnedAway } from '#domain/admission/events.ts';
import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { listings } from '#query-api/queries/listings.ts';
import { scans } from '#query-api/queries/scans.ts';
import { listRoute } from './list.ts';

const MOST_GATES = 200;

export const scanRoutes = (app: App, { db, clock }: QueryContext): void => {
  route(app, ticketCalls.gates, async () => {
    const rows = await listings(db)
      .where('l.archived', '=', false)
      .where('l.starts_at', '>', new Date(clock().getTime() - TICKET_LIFETIME_AFTER_START).toISOString())
      .orderBy('l.starts_at')
      .orderBy('l.id')
      .limit(MOST_GATES)
      .execute();
    return rows.map(({ id, title, venue, date, time }) => ({ id, title, venue, date, time }));
  });

  const order = { sorts: { time: 's.at' }, usual: '-time' as const, id: 's.id' };
  const searched = ['p.email', 'l.title'];

  const admitted = {
    ...order,
    select: ({ search }: QueryOf<typeof ticketCalls.recentScans>) =>
      search ? scans(db, 'admitted').where(contains(searched, search)) : scans(db, 'admitted'),
  };
  listRoute(app, ticketCalls.recentScans, admitted, (rows) =>
    rows.map((row) => ({
      id: row.id,
      scannedAt: row.at,
      event: { title: row.title },
      user: { email: row.email ?? 'Deleted account' },
      quantity: row.quantity,
      scannedBy: row.scanned_by ?? 'Door staff',
      scannedById: row.by_id,
      gate: row.gate,
      booking: { id: row.booking_id, reference: row.reference },
      page: row.page,
    })),
  );

  const turnedAway = {
    ...order,
    select({ search }: QueryOf<typeof ticketCalls.refusedScans>) {
      const found = scans(db, 'refused').select('s.why');
      return search ? found.where(contains(searched, search)) : found;
    },
  };
  listRoute(app, ticketCalls.refusedScans, turnedAway, (rows) =>
    rows.map((row) => ({
      id: row.id,
      scannedAt: row.at,
      event: { title: row.title },
      user: { email: row.email ?? 'Deleted account' },
      code: row.why ?? 'TICKET_USED',
      error: sayTurnedAway(row.why ?? 'TICKET_USED'),
      scannedBy: row.scanned_by ?? 'Door staff',
      gate: row.gate,
    })),
  );
};
