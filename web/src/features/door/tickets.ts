import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type AdmitRequest,
  type DoorCount,
  type GateEvent,
  type ScanRequest,
  ticketCalls,
} from '#domain/contracts/tickets.ts';
import { call } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';

/** Scan timeout in milliseconds; short, because a queue is waiting. */
const PATIENCE = 8_000;

const DOOR = [ticketCalls.recentScans, ticketCalls.refusedScans, ticketCalls.counts, ticketCalls.guests];

/** Fails at once when offline instead of waiting for a connection. */
export const useScan = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ScanRequest | AdmitRequest) => {
      const signal = AbortSignal.timeout(PATIENCE);
      return 'bookingId' in body
        ? call(ticketCalls.admit, { body, signal })
        : call(ticketCalls.scan, { body, signal });
    },
    // Not awaited: the answer comes first.
    onSettled: () => {
      for (const stale of DOOR) client.invalidateQueries({ queryKey: keyOf(stale) });
    },
  });
};

/** Polled as well as pushed, because the live stream may be cut. */
export const useDoorCount = (eventId: number | undefined): DoorCount | undefined =>
  useAnswer(
    ticketCalls.counts,
    { query: { eventId } },
    { enabled: eventId !== undefined, refetchInterval: 30_000 },
  ).data;

export const useGates = (): readonly GateEvent[] | undefined => useAnswer(ticketCalls.gates).data;

export const useTicketCheck = (token: string) =>
  useAnswer(ticketCalls.verify, { params: { token } }, { refetchOnMount: true, staleTime: 0 });
