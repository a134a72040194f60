import { bookingCalls, type CreateBookingRequest } from '#domain/contracts/bookings.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { type CreatePaymentIntentRequest, paymentCalls } from '#domain/contracts/payments.ts';
import { promotionCalls } from '#domain/contracts/promotions.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { call } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { asSignedIn } from '#web/lib/api/session.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';

export const usePaymentConfig = () => useAnswer(siteCalls.payments, undefined, { refetchOnMount: true });

export const useValidatePromotion = () =>
  useChange(promotionCalls.validate, { until: (send) => asSignedIn(send()) });

export const createPaymentIntent = (body: CreatePaymentIntentRequest, idempotencyKey: string) =>
  asSignedIn(call(paymentCalls.createIntent, { body, idempotencyKey }));

/** Idempotent by key. */
export const createBooking = async (body: CreateBookingRequest, idempotencyKey: string) => {
  const booking = await asSignedIn(call(bookingCalls.create, { body, idempotencyKey }));
  queryClient.invalidateQueries({ queryKey: keyOf(bookingCalls.list) });
  queryClient.invalidateQueries({ queryKey: keyOf(catalogueCalls.events) });
  return booking;
};
