import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ScanRequest } from '#domain/contracts/tickets.ts';
import { call } from './client.ts';

const RECENT = ['recent-scans'];

/** Checks a ticket at the door, and admits. */
export const useScan = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ScanRequest) => call('POST /api/tickets/scan', { body }),
    // Not waited for: the door's answer comes first.
    onSettled: () => {
      client.invalidateQueries({ queryKey: RECENT });
    },
  });
};

/** Accepted scans, newest first; asked again every 30 seconds. */
export const useRecentScans = () =>
  useQuery({
    queryKey: RECENT,
    queryFn: ({ signal }) => call('GET /api/tickets/recent-scans', { signal }),
    refetchInterval: 30_000,
    staleTime: 0,
  });

/** What a ticket is good for. Never admits. */
export const useTicketCheck = (token: string) =>
  useQuery({
    queryKey: ['ticket-check', token],
    queryFn: ({ signal }) => call('GET /api/tickets/verify/{token}', { params: { token }, signal }),
    staleTime: 0,
  });
