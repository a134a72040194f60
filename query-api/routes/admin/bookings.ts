import { type NotNull, type SqlBool, sql } from 'kysely';
import { adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import { isOver } from '#domain/listing/state.ts';
import { toDecimal } from '#domain/money.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { disputeOf } from '#query-api/queries/disputes.ts';
import { pendingBookings } from '#query-api/queries/pending.ts';
import { contains, exportedListRoutes } from '#query-api/routes/list.ts';

/** Everybody's bookings. */
export const adminBookingRoutes = (app: App, context: QueryContext): void => {
  const { db, clock } = context;
  /** The listings whose day is over, as `isOver` says it. */
  const over = () =>
    db
      .selectFrom('listing')
      .select('id')
      .where(sql`(date::date + 1)::timestamp at time zone zone`, '<=', clock());
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
    select({ search = '', status }) {
      let found = db
        .selectFrom('booking as b')
        // Each has its listing. PostgreSQL leaves out outer joins whose columns nobody asks for.
        .leftJoin('listing as l', 'l.id', 'b.listing_id')
        .leftJoin('person as p', 'p.account_id', 'b.user_id')
        .select(['b.id', 'b.reference', 'b.quantity', 'b.total', 'b.status', 'b.placed_at', 'b.listing_id'])
        .select(['l.title', 'l.date', 'l.time', 'l.zone', 'p.email', 'p.first_name', 'p.last_name'])
        .select(disputeOf(db, 'b.id'))
        .$narrowType<{ title: NotNull; date: NotNull; time: NotNull; zone: NotNull }>();
      if (status === 'completed') found = found.where('b.listing_id', 'in', over());
      if (status === 'confirmed') found = found.where('b.listing_id', 'not in', over());
      if (status) found = found.where('b.status', '=', status === 'completed' ? 'confirmed' : status);
      for (const word of search.split(/\s+/).filter(Boolean)) {
        // There are fewer people and events than bookings: they are searched first.
        const people = db.selectFrom('person').select('account_id');
        const named = people.where(contains(['email', 'first_name', 'last_name'], word));
        const titled = db
          .selectFrom('listing')
          .select('id')
          .where(contains(['title'], word));
        found = found.where((eb) =>
          eb.or([
            // Twice as fast as `contains`, and references have capital letters only.
            sql<SqlBool>`strpos(b.reference, ${word.toUpperCase()}) > 0`,
            eb('b.user_id', 'in', named),
            eb('b.listing_id', 'in', titled),
          ]),
        );
      }
      return found;
    },
    items: (rows) =>
      rows.map((row) => ({
        id: row.id,
        bookingReference: row.reference,
        user: { firstName: row.first_name, lastName: row.last_name, email: row.email },
        event: { id: row.listing_id, title: row.title, date: row.date, time: row.time },
        quantity: row.quantity,
        totalAmount: toDecimal(row.total),
        status: row.status === 'confirmed' && isOver(row, clock()) ? 'completed' : row.status,
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
      ['Booked', ({ createdAt }) => createdAt],
    ],
  });
};
