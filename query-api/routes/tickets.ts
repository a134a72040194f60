import { obstacle } from '#domain/admission/obstacle.ts';
import { type TicketCheck, ticketCalls } from '#domain/contracts/tickets.ts';
import { errors } from '#domain/kernel/errors.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { ticketsOf } from '#infra/tickets/ticket-document.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { bookings } from '#query-api/queries/bookings.ts';
import { scans } from '#query-api/queries/scans.ts';
import { loadSettings } from '#query-api/queries/settings.ts';
import { recordAccess } from './record.ts';

const FORGED: TicketCheck = {
  genuine: false,
  standing: 'forged',
  message: errors.TICKET_FORGED.message,
  event: null,
  quantity: null,
};

const STANDINGS = {
  TICKET_USED: 'used',
  TICKET_CANCELLED: 'cancelled',
  TICKET_REFUNDED: 'refunded',
  TICKET_DISPUTED: 'disputed',
  TICKET_REISSUED: 'reissued',
  TICKET_EXPIRED: 'expired',
} as const;

export const ticketRoutes = (app: App, context: QueryContext): void => {
  const { db, clock, config, signer, printer } = context;

  route(app, ticketCalls.download, async (request, reply) => {
    const row = await bookings(db)
      .leftJoin('person as p', 'p.account_id', 'b.user_id')
      .select(['p.first_name', 'p.last_name', 'l.extras'])
      .where('b.id', '=', request.params.id)
      .where('b.user_id', '=', request.principal.accountId)
      .executeTakeFirst();
    if (!row) throw new Refusal('BOOKING_NOT_FOUND');
    if (row.status === 'refunded') throw new Refusal('TICKET_REFUNDED');
    if (row.status !== 'confirmed') throw new Refusal('TICKET_CANCELLED');
    const { siteName } = await loadSettings(db);
    const pdf = await ticketsOf(
      {
        bookingId: row.id,
        reference: row.reference,
        listingId: row.listing_id,
        quantity: row.quantity,
        epoch: row.epoch,
        title: row.title,
        venue: row.venue,
        location: row.location,
        date: row.date,
        time: row.time,
        startsAt: row.starts_at,
        holder: row.first_name ? [row.first_name, row.last_name].filter(Boolean).join(' ') : null,
        extras: extrasOf(row.extras),
      },
      { signer, printer, baseUrl: config.baseUrl, siteName },
      'person',
    );
    await recordAccess(context, request, {
      type: 'TicketDownloaded',
      data: { bookingId: row.id, userId: row.user_id },
    });
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="ticket-${row.id}.pdf"`)
      .header('cache-control', 'private, no-store')
      .send(pdf);
  });

  route(app, ticketCalls.verify, async ({ params }): Promise<TicketCheck> => {
    const ticket = signer.verify(params.token);
    const row = ticket && (await bookings(db).where('b.id', '=', ticket.bookingId).executeTakeFirst());
    if (!ticket || !row) return FORGED;
    const used =
      (row.admitted ?? 0) >= row.quantity ||
      (await scans(db, 'admitted')
        .where('s.booking_id', '=', row.id)
        .where('s.page', '=', ticket.page)
        .executeTakeFirst()) !== undefined;
    const { status, epoch, starts_at: startsAt } = row;
    const why =
      obstacle(ticket, { status, epoch, startsAt }, clock()) ??
      (row.suspended ? 'TICKET_DISPUTED' : undefined);
    const code = used && (!why || why === 'TICKET_EXPIRED') ? 'TICKET_USED' : why;
    return {
      genuine: true,
      standing: code ? STANDINGS[code] : 'good',
      message: code ? errors[code].message : 'This is a genuine ticket. Show its code at the door.',
      event: { id: row.listing_id, title: row.title, venue: row.venue, date: row.date, time: row.time },
      quantity: ticket.page === 1 ? row.quantity : 1,
    };
  });

  route(app, ticketCalls.keys, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return { keys: signer.publicKeys };
  });
};
