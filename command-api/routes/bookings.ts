import type { CommandDeps } from '#command-api/deps/deps.ts';
import { bookingAnswer } from '#command-api/purchase/answers.ts';
import { bookCheckout } from '#command-api/purchase/book-checkout.ts';
import { cancelBooking } from '#command-api/purchase/cancel.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { demandBuyer } from '#command-api/routes/buyer.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { bookingCalls, type Cancelled } from '#domain/contracts/bookings.ts';
import { toDecimal, toPounds } from '#domain/kernel/money.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';

export type BookingRouteDeps = Pick<CommandDeps, 'config' | 'handler' | 'sessions' | 'clock' | 'replies'> & {
  readonly purchases: Purchases;
};

/** Pence. */
const toCancelled = ({
  refund,
  percent,
  paid,
}: {
  readonly refund: number;
  readonly percent: number;
  readonly paid: number;
}): Cancelled => ({
  message:
    refund > 0
      ? `Your booking is cancelled. ${toPounds(refund)} will be refunded within 5-10 business days.`
      : paid > 0
        ? 'Your booking is cancelled. Under the refund policy nothing is paid back.'
        : 'Your booking is cancelled. It was free, so there is nothing to pay back.',
  refundApproved: refund > 0,
  refundAmount: toDecimal(refund),
  refundPercent: percent,
});

export const bookingRoutes = (app: App, deps: BookingRouteDeps): void => {
  const { purchases, clock, handler, config } = deps;
  const { readings } = purchases;
  const change = changesOn(app, deps);

  change(bookingCalls.create, async ({ principal, body }, { acting, reply }) => {
    const { accountId } = await demandBuyer(principal, deps);
    const { eventId: listingId, quantity, totalAmount } = body;
    const wanted = { listingId, quantity, totalAmount };
    const { booking, placed: made } = await bookCheckout(purchases, accountId, wanted, acting);
    reply.code(made ? 201 : 200);
    return bookingAnswer({ handler, readings, baseUrl: config.baseUrl }, booking, { made, now: clock() });
  });

  change(bookingCalls.cancel, async ({ principal, body }, { acting }) => {
    const asked = { ...body, userId: principal.accountId, by: 'customer' } as const;
    const { rest, booking } = await cancelBooking(purchases, asked, acting);
    if (typeof rest === 'object') throw refusalOf(rest);
    const cancellation = booking?.cancellation;
    if (!cancellation) throw new Refusal('BOOKING_NOT_CANCELLABLE');
    return toCancelled({ ...cancellation, paid: booking.facts?.quote.total ?? 0 });
  });
};
