import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AdmitRequest,
  type DoorCount,
  type GateEvent,
  type ScanRequest,
  ticketCalls,
} from '#domain/contracts/tickets.ts';
import { call } from './client.ts';
import { keyOf } from './key-of.ts';

/** How long an answer is waited for before the scan counts as unanswered, in milliseconds: a queue waits with it. */
const PATIENCE = 8_000;

/** What a scan makes stale. */
const DOOR = [ticketCalls.recentScans, ticketCalls.refusedScans, ticketCalls.counts, ticketCalls.guests];

/** Checks a ticket at the door, or a guest who was found without one, and admits. Without a network it fails at once rather than waiting for one. */
export const useScan = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ScanRequest | AdmitRequest) => {
      const signal = AbortSignal.timeout(PATIENCE);
      return 'bookingId' in body
        ? call(ticketCalls.admit, { body, signal })
        : call(ticketCalls.scan, { body, signal });
    },
    // Not waited for: the door's answer comes first.
    onSettled: () => {
      for (const stale of DOOR) client.invalidateQueries({ queryKey: keyOf(stale) });
    },
  });
};

/** Who is in and who is still to come. The live stream tells of changes; it is asked for now and then all the same, since that may be cut. */
export const useDoorCount = (eventId: number | undefined): DoorCount | undefined =>
  useQuery({
    queryKey: keyOf(ticketCalls.counts, { query: { eventId } }),
    queryFn: ({ signal }) => call(ticketCalls.counts, { query: { eventId }, signal }),
    enabled: eventId !== undefined,
    refetchOnMount: 'always',
    refetchInterval: 30_000,
  }).data;

/** The events that a gate may be for; undefined until the answer has come. */
export const useGates = (): readonly GateEvent[] | undefined =>
  useQuery({
    queryKey: ['gates'],
    queryFn: ({ signal }) => call(ticketCalls.gates, { signal }),
    refetchOnMount: 'always',
  }).data;

/** What a ticket is good for. Never admits. */
export const useTicketCheck = (token: string) =>
  useQuery({
    queryKey: ['ticket-check', token],
    queryFn: ({ signal }) => call(ticketCalls.verify, { params: { token }, signal }),
    staleTime: 0,
  });
