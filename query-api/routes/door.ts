import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import { headers } from '#domain/contracts/envelope.ts';
import type { GateEvent, RecentScan, RefusedScan } from '#domain/contracts/tickets.ts';
import { errors } from '#domain/errors.ts';
import type { App } from '#infra/http/server.ts';
import { listings } from '#query-api/queries/listings.ts';
import { scans } from '#query-api/queries/scans.ts';
import type { QueryContext } from '#query-api/server.ts';

/** As many events as a gate can be chosen from: some weeks of a busy programme. */
const MOST_GATES = 200;

const door = { capability: 'scan-tickets' } as const;

/** What staff at the door see: the events that a gate can be for, who came in, who was turned away. */
export const doorRoutes = (app: App, { db, clock }: QueryContext): void => {
  app.get('/api/tickets/gates', { config: door }, async (_request, reply): Promise<GateEvent[]> => {
    const rows = await listings(db)
      .where('l.archived', '=', false)
      .where('l.starts_at', '>', new Date(clock().getTime() - TICKET_LIFETIME_AFTER_START).toISOString())
      .orderBy('l.starts_at')
      .orderBy('l.id')
      .limit(MOST_GATES)
      .execute();
    reply.header(headers.total, rows.length);
    return rows.map(({ id, title, venue, date, time }) => ({ id, title, venue, date, time }));
  });

  app.get('/api/tickets/recent-scans', { config: door }, async (_request, reply): Promise<RecentScan[]> => {
    const rows = await scans(db, 'admitted').execute();
    reply.header(headers.total, rows.length);
    return rows.map((row) => ({
      id: row.id,
      scannedAt: row.at,
      event: { title: row.title },
      user: { email: row.email ?? 'Deleted account' },
      quantity: row.quantity,
      scannedBy: row.scanned_by ?? 'Door staff',
      gate: row.gate,
    }));
  });

  app.get('/api/tickets/refused-scans', { config: door }, async (_request, reply): Promise<RefusedScan[]> => {
    const rows = await scans(db, 'refused').select('s.why').execute();
    reply.header(headers.total, rows.length);
    return rows.map((row) => ({
      id: row.id,
      scannedAt: row.at,
      event: { title: row.title },
      user: { email: row.email ?? 'Deleted account' },
      code: row.why ?? 'TICKET_USED',
      error: errors[row.why ?? 'TICKET_USED'].message,
      scannedBy: row.scanned_by ?? 'Door staff',
      gate: row.gate,
    }));
  });
};
