import { toBooking, toCancellationQuote, toPendingBooking } from '#domain/answers/bookings.ts';
import { type Booking, bookingCalls } from '#domain/contracts/bookings.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { readHistory } from '#query-api/queries/booking-history.ts';
import {
  type BookingWithListing,
  bookingParts,
  bookings,
  openBookings,
  pendingBookings,
} from '#query-api/queries/bookings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';

/** Other people's bookings are 404. */
export const bookingRoutes = (app: App, context: QueryContext): void => {
  const { db, clock, config, log, codec, keys } = context;

  const ownBooking = async ({
    params,
    principal,
  }: Asked<typeof bookingCalls.read>): Promise<BookingWithListing> => {
    const row = await bookings(db)
      .where('b.id', '=', params.id)
      .where('b.user_id', '=', principal.accountId)
      .executeTakeFirst();
    if (!row) throw new Refusal('BOOKING_NOT_FOUND');
    return row;
  };

  const show = async (rows: readonly BookingWithListing[]): Promise<Booking[]> => {
    const view = { baseUrl: config.baseUrl, now: clock() };
    return (await openBookings(keys, rows)).map((parts) => toBooking(parts, view));
  };

  route(app, bookingCalls.list, async ({ principal }) => {
    const { accountId } = principal;
    const view = { baseUrl: config.baseUrl, now: clock() };
    // Read these first: a booking completed meanwhile is then in both, and shown as made.
    const pending = await pendingBookings(context, accountId);
    const latest = await bookings(db)
      .where('b.user_id', '=', accountId)
      .orderBy('l.starts_at', 'desc')
      .orderBy('b.id', 'desc')
      .limit(1_000)
      .execute();
    const made = latest.reverse();
    const known = new Set(made.map(({ id }) => id));
    return [
      ...pending.map(({ parts }) => toPendingBooking(parts, view)).filter(({ id }) => !known.has(id)),
      ...(await show(made)),
    ];
  });

  route(app, bookingCalls.read, async (request) => {
    const [shown] = await show([await ownBooking(request)]);
    if (!shown) throw new Refusal('BOOKING_NOT_FOUND');
    return shown;
  });

  route(app, bookingCalls.cancellation, async (request) =>
    toCancellationQuote(bookingParts(await ownBooking(request)), clock()),
  );

  route(app, bookingCalls.history, async (request) => {
    const row = await ownBooking(request);
    return readHistory(log, codec, {
      bookingId: row.id,
      userId: row.user_id,
      listingId: row.listing_id,
      attempt: row.attempt,
      zone: row.zone,
      siteName: (await loadSettings(db)).siteName,
    });
  });
};
