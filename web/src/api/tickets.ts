import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ScanRequest, ticketCalls } from '#domain/contracts/tickets.ts';
import { call, list } from './client.ts';

const SCANS = ['scans'];
const EVERY = 30_000;
/** How long an answer is waited for before the scan counts as unanswered, in milliseconds: a queue waits with it. */
const PATIENCE = 8_000;

/** Checks a ticket at the door, and admits. Without a network it fails at once rather than waiting for one. */
export const useScan = () => {
  const client = useQueryClient();
  return useMutation({
    networkMode: 'always',
    mutationFn: (body: ScanRequest) =>
      call(ticketCalls.scan, { body, signal: AbortSignal.timeout(PATIENCE) }),
    // Not waited for: the door's answer comes first.
    onSettled: () => {
      client.invalidateQueries({ queryKey: SCANS });
    },
  });
};

/** Accepted scans, newest first; asked again every 30 seconds. */
export const useRecentScans = () =>
  useQuery({
    queryKey: [...SCANS, 'recent'],
    queryFn: ({ signal }) => list(ticketCalls.recentScans, { signal }),
    refetchInterval: EVERY,
    staleTime: 0,
  });

/** Who was turned away and why, newest first; asked again as often. */
export const useRefusedScans = () =>
  useQuery({
    queryKey: [...SCANS, 'refused'],
    queryFn: ({ signal }) => list(ticketCalls.refusedScans, { signal }),
    refetchInterval: EVERY,
    staleTime: 0,
  });

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
