import { bookingCalls } from '#domain/contracts/bookings.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { askUntilKnown } from '#web/lib/api/ask-until.ts';
import { ask } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { asSignedIn } from '#web/lib/api/session.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';

export const useBookings = (enabled: boolean) =>
  useAnswer(bookingCalls.list, undefined, {
    read: (answer) => asSignedIn(answer),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? 3_000 : false),
    enabled,
  });

export const useBooking = (id: number) =>
  useAnswer(bookingCalls.read, { params: { id } }, { read: (answer) => asSignedIn(answer) });

export const useBookingHistory = (id: number, enabled: boolean) =>
  useAnswer(bookingCalls.history, { params: { id } }, { read: (answer) => asSignedIn(answer), enabled });

/** Never cached: the refund falls as time passes. */
export const useCancellationQuote = (id: number) =>
  useAnswer(
    bookingCalls.cancellation,
    { params: { id } },
    { read: (answer) => asSignedIn(answer), staleTime: 0, gcTime: 0 },
  );

/** Also their histories, proofs and an open cancellation quote. */
export const refetchBookings = (): void => {
  queryClient.invalidateQueries({ queryKey: keyOf(bookingCalls.list) });
};

export const useCancelBooking = (idempotencyKey: string) =>
  useChange(bookingCalls.cancel, { stale: [bookingCalls.list], idempotencyKey, until: askUntilKnown });

export const downloadTicket = async (id: number): Promise<void> => {
  await saveFile(await ask(ticketCalls.download, { params: { id } }));
};
