import { adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { isOver } from '#domain/listing/state.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { everyBooking } from '#query-api/queries/admin-bookings.ts';
import { pendingBookings } from '#query-api/queries/bookings.ts';
import { atHome, exportedListRoutes } from '#query-api/routes/list.ts';

export const adminBookingRoutes = (app: App, context: QueryContext): void => {
  const { db, clock } = context;
  route(app, adminBookingCalls.pending, async () =>
    (await pendingBookings(context)).map(({ row, parts: { booking } }) => ({
      id: booking.facts.bookingId,
      bookingReference: booking.facts.reference,
      user: { firstName: row.first_name, lastName: row.last_name, email: row.email },
      event: { id: row.listing_id, title: row.title, date: row.date, time: row.time },
      quantity: booking.facts.quote.quantity,
      totalAmount: toDecimal(row.amount),
      status: 'pending',
      dispute: null,
      createdAt: row.paid_at,
    })),
  );
  exportedListRoutes(app, context, adminBookingCalls.list, adminBookingCalls.exportCsv, {
    name: 'bookings',
    sorts: {
      reference: 'b.reference',
      user: 'p.email',
      event: 'l.title',
      quantity: 'b.quantity',
      amount: 'b.total',
      date: 'b.placed_at',
    },
    usual: '-date',
    id: 'b.id',
    select: (asked) => everyBooking(db, asked, clock()),
    items: (rows) =>
      rows.map((row) => ({
        id: row.id,
        bookingReference: row.reference,
        user: { firstName: row.first_name, lastName: row.last_name, email: row.email },
        event: { id: row.listing_id, title: row.title, date: row.date, time: row.time },
        quantity: row.quantity,
        totalAmount: toDecimal(row.total),
        status:
          row.status === 'confirmed' && isOver({ ...row, startsAt: row.starts_at }, clock())
            ? 'completed'
            : row.status,
        dispute: row.dispute,
        createdAt: row.placed_at,
      })),
    columns: [
      ['Reference', ({ bookingReference }) => bookingReference],
      ['First name', ({ user }) => user.firstName ?? 'Deleted account'],
      ['Last name', ({ user }) => user.lastName],
      ['Email', ({ user }) => user.email],
      ['Event', ({ event }) => event.title],
      ['Date', ({ event }) => event.date],
      ['Time', ({ event }) => event.time],
      ['Tickets', ({ quantity }) => quantity],
      ['Amount (GBP)', ({ totalAmount }) => totalAmount],
      ['Status', ({ status }) => status],
      ['Dispute', ({ dispute }) => dispute],
      ['Booked (London)', ({ createdAt }) => atHome(createdAt)],
    ],
  });
};
