import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ScanRequest, ticketCalls } from '#domain/contracts/tickets.ts';
import { keyOf } from './answers.ts';
import { call } from './client.ts';

/** How long an answer is waited for before the scan counts as unanswered, in milliseconds: a queue waits with it. */
const PATIENCE = 8_000;

/** Checks a ticket at the door, and admits. Without a network it fails at once rather than waiting for one. */
export const useScan = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ScanRequest) =>
      call(ticketCalls.scan, { body, signal: AbortSignal.timeout(PATIENCE) }),
    // Not waited for: the door's answer comes first.
    onSettled: () => {
      for (const scans of [ticketCalls.recentScans, ticketCalls.refusedScans])
        client.invalidateQueries({ queryKey: keyOf(scans) });
    },
  });
};

/** The events that a gate may be for. */
export const useGates = () =>
  useQuery({
    queryKey: ['gates'],
    queryFn: ({ signal }) => call(ticketCalls.gates, { signal }),
    refetchOnMount: 'always',
  }).data ?? [];

/** What a ticket is good for. Never admits. */
export const useTicketCheck = (token: string) =>
  useQuery({
    queryKey: ['ticket-check', token],
    queryFn: ({ signal }) => call(ticketCalls.verify, { params: { token }, signal }),
    staleTime: 0,
  });
