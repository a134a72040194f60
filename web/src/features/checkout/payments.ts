import { useMutation, useQuery } from '@tanstack/react-query';
import { bookingCalls, type CreateBookingRequest } from '#domain/contracts/bookings.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { type CreatePaymentIntentRequest, paymentCalls } from '#domain/contracts/payments.ts';
import { promotionCalls, type ValidatePromotionRequest } from '#domain/contracts/promotions.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { call } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { asSignedIn } from '#web/lib/api/session.ts';

export const usePaymentConfig = () =>
  useQuery({
    queryKey: ['stripe-config'],
    queryFn: ({ signal }) => call(siteCalls.payments, { signal }),
  });

export const useValidatePromotion = () =>
  useMutation({
    mutationFn: (body: ValidatePromotionRequest) => asSignedIn(call(promotionCalls.validate, { body })),
  });

export const createPaymentIntent = (body: CreatePaymentIntentRequest, idempotencyKey: string) =>
  asSignedIn(call(paymentCalls.createIntent, { body, idempotencyKey }));

/** Idempotent by key. */
export const createBooking = async (body: CreateBookingRequest, idempotencyKey: string) => {
  const booking = await asSignedIn(call(bookingCalls.create, { body, idempotencyKey }));
  queryClient.invalidateQueries({ queryKey: ['bookings'] });
  queryClient.invalidateQueries({ queryKey: keyOf(catalogueCalls.events) });
  queryClient.invalidateQueries({ queryKey: ['event', String(body.eventId)] });
  return booking;
};
