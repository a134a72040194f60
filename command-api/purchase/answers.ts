/** Answers read from the streams: after a change, the read models may lag. */
import type { CommandHandler } from '#command-api/commands/command-handler.ts';
import { account } from '#domain/account/account.ts';
import { admission } from '#domain/admission/admission.ts';
import { admittedCount, initial as nobodyIn } from '#domain/admission/state.ts';
import { toBooking } from '#domain/answers/bookings.ts';
import { toAdminRefund } from '#domain/answers/refunds.ts';
import { booking } from '#domain/booking/booking.ts';
import { type BookingState, unfilledNow } from '#domain/booking/state.ts';
import type { Booking } from '#domain/contracts/bookings.ts';
import type { AdminRefund } from '#domain/contracts/refunds.ts';
import { dispute, standing } from '#domain/dispute/dispute.ts';
import { listing } from '#domain/listing/listing.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import { refund } from '#domain/refund/refund.ts';
import { initial as noRefund, type RefundState } from '#domain/refund/state.ts';
import type { Readings } from './readings.ts';

export interface AnswerDeps {
  readonly handler: CommandHandler;
  readonly readings: Readings;
  readonly baseUrl: string;
}

/** `made`: placed by this call, so refund and admission streams need not be read. */
export const bookingAnswer = async (
  { handler, readings, baseUrl }: AnswerDeps,
  booked: BookingState,
  { made, now }: { readonly made: boolean; readonly now: Date },
): Promise<Booking> => {
  const { bookingId = 0, listingId = 0 } = booked.facts ?? {};
  const listed = await readings.read(listing, listingId);
  const [place, town, money, entry, disputes] = await Promise.all([
    readings.read(venue, listed.details?.venueId ?? 0),
    readings.read(city, listed.details?.cityId ?? 0),
    made ? { state: noRefund } : handler.state(refund, bookingId),
    made ? { state: nobodyIn } : handler.state(admission, bookingId),
    made ? { state: dispute.initial } : handler.state(dispute, bookingId),
  ]);
  return toBooking(
    {
      booking: { ...booked, unfilled: unfilledNow(booked) },
      listing: listed,
      city: { name: town.details?.name ?? '' },
      venue: { name: place.details?.name ?? '' },
      refund: money.state,
      admitted: admittedCount(entry.state),
      dispute: standing(disputes.state),
    },
    { baseUrl, now },
  );
};

export const refundAnswer = async (
  { handler }: Pick<AnswerDeps, 'handler'>,
  state: RefundState,
): Promise<AdminRefund> => {
  const [{ state: booked }, { state: person }, { state: listed }, { state: disputes }] = await Promise.all([
    handler.state(booking, state.bookingId ?? 0),
    handler.state(account, state.userId ?? ''),
    handler.state(listing, state.listingId ?? 0),
    handler.state(dispute, state.bookingId ?? 0),
  ]);
  return toAdminRefund({
    refund: state,
    reference: booked.facts?.reference ?? '',
    title: listed.details?.title ?? null,
    dispute: standing(disputes),
    email: person.email,
  });
};
