import { useMutation, useQuery } from '@tanstack/react-query';
import { bookingCalls, type CancelBookingRequest } from '#domain/contracts/bookings.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { askUntilKnown } from '#web/lib/api/ask-until.ts';
import { ask, call } from '#web/lib/api/client.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { asSignedIn } from '#web/lib/api/session.ts';

export const useBookings = (enabled: boolean) =>
  useQuery({
    queryKey: ['bookings'],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.list, { signal })),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? 3_000 : false),
    enabled,
  });

export const useBooking = (id: number) =>
  useQuery({
    queryKey: ['bookings', id],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.read, { params: { id }, signal })),
    refetchOnMount: 'always',
  });

export const useTrail = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: ['bookings', id, 'history'],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.history, { params: { id }, signal })),
    refetchOnMount: 'always',
    enabled,
  });

export const useCancellationQuote = (id: number) =>
  useQuery({
    queryKey: ['cancellation', id],
    queryFn: ({ signal }) => asSignedIn(call(bookingCalls.cancellation, { params: { id }, signal })),
    staleTime: 0,
    gcTime: 0,
  });

export const refetchBookings = (): void => {
  queryClient.invalidateQueries({ queryKey: ['bookings'] });
};

export const useCancelBooking = (idempotencyKey: string) =>
  useMutation({
    mutationFn: (body: CancelBookingRequest) =>
      askUntilKnown(() => call(bookingCalls.cancel, { body, idempotencyKey })),
    // Not awaited: the card may unmount and lose its answer.
    onSuccess: refetchBookings,
  });

export const downloadTicket = async (id: number): Promise<void> => {
  await saveFile(await ask(ticketCalls.download, { params: { id } }));
};
