import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bookingCalls, type CancelBookingRequest } from '#domain/contracts/bookings.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { asSignedIn } from './auth.ts';
import { ask, call } from './client.ts';
import { saveFile } from './save-file.ts';

/** The user's bookings, asked for again on each visit to a page that shows them. */
export const useBookings = (enabled: boolean) =>
  useQuery({
    queryKey: ['bookings'],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.list, { signal })),
    refetchOnMount: 'always',
    enabled,
  });

/** A booking's trail, fetched when it is unfolded. */
export const useTrail = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: ['bookings', id, 'history'],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.history, { params: { id }, signal })),
    refetchOnMount: 'always',
    enabled,
  });

/** What a cancellation would give back now: asked each time the dialog opens. */
export const useCancellationQuote = (id: number) =>
  useQuery({
    queryKey: ['cancellation', id],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.cancellation, { params: { id }, signal })),
    staleTime: 0,
    gcTime: 0,
  });

export const useCancelBooking = (idempotencyKey: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CancelBookingRequest) => call(bookingCalls.cancel, { body, idempotencyKey }),
    // Not waited for: the card that asked may be gone by then, and its answer with it.
    onSuccess: () => {
      client.invalidateQueries({ queryKey: ['bookings'] });
    },
  });
};

/** Saves a booking's ticket as `ticket-{id}.pdf`. @throws ApiError */
export const downloadTicket = async (id: number): Promise<void> => {
  await saveFile(await ask(ticketCalls.download, { params: { id } }));
};
