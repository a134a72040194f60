import { useMutation, useQuery } from '@tanstack/react-query';
import type { CreateBookingRequest } from '#domain/contracts/bookings.ts';
import type { CreatePaymentIntentRequest } from '#domain/contracts/payments.ts';
import type { ValidatePromotionRequest } from '#domain/contracts/promotions.ts';
import { asSignedIn } from './auth.ts';
import { call } from './client.ts';
import { queryClient } from './queries.ts';

/** How cards are taken here. */
export const usePaymentConfig = () =>
  useQuery({
    queryKey: ['stripe-config'],
    queryFn: ({ signal }) => call('GET /api/stripe-config', { signal }),
  });

export const useValidatePromotion = () =>
  useMutation({
    mutationFn: (body: ValidatePromotionRequest) =>
      asSignedIn(call('POST /api/validate-promotion', { body })),
  });

/** Opens the checkout, or prices it anew. */
export const createPaymentIntent = (
  body: CreatePaymentIntentRequest,
  idempotencyKey: string,
  signal?: AbortSignal,
) => asSignedIn(call('POST /api/create-payment-intent', { body, idempotencyKey, signal }));

/** Completes the purchase. Repeated with the same key, it answers the same booking. */
export const createBooking = async (body: CreateBookingRequest, idempotencyKey: string) => {
  const booking = await call('POST /api/bookings', { body, idempotencyKey });
  queryClient.invalidateQueries({ queryKey: ['bookings'] });
  queryClient.invalidateQueries({ queryKey: ['events'] });
  queryClient.invalidateQueries({ queryKey: ['event', String(body.eventId)] });
  return booking;
};
