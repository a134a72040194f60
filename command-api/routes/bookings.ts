import type { CommandDeps } from '#command-api/deps.ts';
import { createOnce } from '#command-api/idempotency/once.ts';
import { bookingAnswer } from '#command-api/purchase/answers.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { demandBuyer } from '#command-api/routes/buyer.ts';
import {
  type Booking,
  type Cancelled,
  cancelBookingRequest,
  createBookingRequest,
} from '#domain/contracts/bookings.ts';
import { toDecimal, toPounds } from '#domain/money.ts';
import { Refusal, refusalOf } from '#domain/refusal.ts';
import { contextOf } from '#infra/http/context.ts';
import { demandSignedIn } from '#infra/http/principal.ts';
import type { App } from '#infra/http/server.ts';

export type BookingRouteDeps = Pick<
  CommandDeps,
  'config' | 'lane' | 'sessions' | 'clock' | 'replies' | 'log'
> & { readonly purchases: Purchases };

/** What a customer is told of their cancellation. `refund` and `paid` in pence. */
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

/** `POST /api/bookings` and `POST /api/bookings/cancel`. */
export const bookingRoutes = (app: App, deps: BookingRouteDeps): void => {
  const { purchases, clock, lane, config } = deps;
  const { checkouts, readings } = purchases;
  const once = createOnce(deps);

  app.post(
    '/api/bookings',
    { config: { capability: 'buy', limit: 'booking' }, schema: { body: createBookingRequest } },
    async (request, reply) => {
      const { accountId } = await demandBuyer(request.principal, deps);
      const { eventId, quantity, totalAmount } = request.body;
      const execute = async () => {
        const wanted = { listingId: eventId, quantity, totalAmount };
        const acting = lane.as(contextOf(request, clock));
        const { booking, placedAt } = await checkouts.book(accountId, wanted, acting);
        const made = placedAt !== undefined;
        const parts = { lane, readings, baseUrl: config.baseUrl };
        const answer: Booking = await bookingAnswer(parts, booking, { made, now: clock() });
        return { status: made ? 201 : 200, body: answer, position: acting.position };
      };
      return once(request, reply, { allocate: () => ({}), execute });
    },
  );

  app.post(
    '/api/bookings/cancel',
    { config: { capability: 'use-bookings' }, schema: { body: cancelBookingRequest } },
    async (request, reply) => {
      const { accountId: userId } = demandSignedIn(request.principal);
      const { bookingId, reason } = request.body;
      const execute = async () => {
        const asked = { bookingId, reason, userId, by: 'customer' } as const;
        const acting = lane.as(contextOf(request, clock));
        const { rest, booking } = await purchases.cancel(asked, acting);
        if (typeof rest === 'object') throw refusalOf(rest.refused);
        const cancellation = booking?.cancellation;
        if (!cancellation) throw new Refusal('BOOKING_NOT_CANCELLABLE');
        return {
          status: 200,
          body: toCancelled({ ...cancellation, paid: booking.facts?.quote.total ?? 0 }),
          position: acting.position,
        };
      };
      return once(request, reply, { allocate: () => ({}), execute });
    },
  );
};
