import type { Lane } from '#command-api/lane/lane.ts';
import { cancellationQuote } from '#domain/booking/quote.ts';
import type { BookingState } from '#domain/booking/state.ts';
import type { Booking } from '#domain/contracts/bookings.ts';
import { listing } from '#domain/listing/listing.ts';
import { toDecimal } from '#domain/money.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import { refund } from '#domain/refund/refund.ts';
import { customerStatus } from '#domain/refund/state.ts';
import { endOfDay } from '#domain/zone.ts';
import { absolute } from '#infra/images/picture.ts';
import type { Readings } from './readings.ts';

export interface AnswerDeps {
  readonly lane: Lane;
  readonly readings: Readings;
  readonly baseUrl: string;
}

/** A refund, where there can be one. */
const refundOf = async ({ lane }: AnswerDeps, { status, facts }: BookingState) => {
  if (status === 'confirmed' || !facts) return { refundStatus: null, refundAmount: null };
  const { state } = await lane.state(refund, facts.bookingId);
  if (state.phase === 'none') return { refundStatus: null, refundAmount: null };
  return { refundStatus: customerStatus(state.phase), refundAmount: toDecimal(state.amount) };
};

/**
 * A booking as `POST /api/bookings` answers it: like `GET /api/bookings/{id}`, but from the streams themselves, since the read
 * models may not have it yet. `placedAt`: ISO instant.
 */
export const bookingAnswer = async (
  deps: AnswerDeps,
  state: BookingState,
  placedAt: string,
  now: Date,
): Promise<Booking> => {
  const { facts } = state;
  if (!facts) throw new Error('a booking without facts has no answer');
  const { quote, bookingId } = facts;
  const { details, schedule } = await deps.readings.read(listing, facts.listingId);
  if (!details || !schedule) throw new Error(`booking ${bookingId} is for a listing that was never made`);
  const [place, town, money] = await Promise.all([
    deps.readings.read(venue, details.venueId),
    deps.readings.read(city, details.cityId),
    refundOf(deps, state),
  ]);
  const at = now.toISOString();
  const offer = cancellationQuote(state, { by: 'customer', at, startsAt: schedule.startsAt });
  const confirmed = state.status === 'confirmed';
  const over = Date.parse(endOfDay(schedule.date, schedule.zone)) <= now.getTime();
  return {
    id: bookingId,
    reference: facts.reference,
    status:
      confirmed && over
        ? 'completed'
        : confirmed
          ? 'confirmed'
          : state.status === 'refunded'
            ? 'refunded'
            : 'cancelled',
    tab: !confirmed ? 'cancelled' : over ? 'past' : 'upcoming',
    quantity: quote.quantity,
    unitPrice: toDecimal(quote.unitPrice),
    discountAmount: toDecimal(quote.discount),
    promoCode: quote.promotion?.code ?? null,
    totalAmount: toDecimal(quote.total),
    bookingDate: placedAt,
    event: {
      id: facts.listingId,
      title: details.title,
      date: schedule.date,
      time: schedule.time,
      startsAt: schedule.startsAt,
      zone: schedule.zone,
      venue: place.details?.name ?? '',
      city: town.details?.name ?? '',
      location: details.location,
      category: details.category,
      imageUrl: absolute(details.imageUrl, deps.baseUrl),
    },
    ...money,
    refundNote: null,
    cancelledAt: null,
    cancellationReason: null,
    unfilled: state.unfilled !== null,
    cancellable: offer.allowed,
    notCancellable: offer.allowed ? null : offer.why === 'EVENT_STARTED' ? 'started' : 'not_confirmed',
    refundPercent: offer.percent,
    refundQuote: toDecimal(offer.refund),
    ticketUrl: confirmed ? `/api/tickets/${bookingId}/download` : null,
    historyUrl: `/api/bookings/${bookingId}/history`,
  };
};
