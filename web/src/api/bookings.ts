import { useMutation, useQuery } from '@tanstack/react-query';
import { bookingCalls, type CancelBookingRequest } from '#domain/contracts/bookings.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { askUntilKnown } from './ask-until.ts';
import { asSignedIn } from './auth.ts';
import { ask, call } from './client.ts';
import { queryClient } from './queries.ts';
import { saveFile } from './save-file.ts';

/** The user's bookings, asked for again on each visit to a page that shows them. */
export const useBookings = (enabled: boolean) =>
  useQuery({
    queryKey: ['bookings'],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.list, { signal })),
    refetchOnMount: 'always',
    // One that is paid and not booked yet becomes a booking by itself, within moments as a rule.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? 3_000 : false),
    enabled,
  });

/** One of the user's bookings. */
export const useBooking = (id: number) =>
  useQuery({
    queryKey: ['bookings', id],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.read, { params: { id }, signal })),
    refetchOnMount: 'always',
  });

/** A booking's trail, fetched when it is unfolded. */
export const useTrail = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: ['bookings', id, 'history'],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.history, { params: { id }, signal })),
    refetchOnMount: 'always',
    enabled,
  });

/** What a cancellation would give back now: asked each time the dialog opens, and again where that has become less. */
export const useCancellationQuote = (id: number) =>
  useQuery({
    queryKey: ['cancellation', id],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.cancellation, { params: { id }, signal })),
    staleTime: 0,
    gcTime: 0,
  });

/** Asks anew for the user's bookings, if a page shows them. */
export const refetchBookings = (): void => {
  queryClient.invalidateQueries({ queryKey: ['bookings'] });
};

/** Cancels a booking. The key makes it one cancellation, however often it is asked for. */
export const useCancelBooking = (idempotencyKey: string) =>
  useMutation({
    mutationFn: (body: CancelBookingRequest) =>
      askUntilKnown(() => call(bookingCalls.cancel, { body, idempotencyKey })),
    // Not waited for: the card that asked may be gone by then, and its answer with it.
    onSuccess: refetchBookings,
  });

/** Saves a booking's ticket as `ticket-{id}.pdf`. @throws ApiError */
export const downloadTicket = async (id: number): Promise<void> => {
  await saveFile(await ask(ticketCalls.download, { params: { id } }));
};
