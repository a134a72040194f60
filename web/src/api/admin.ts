import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CreateEventRequest } from '#domain/contracts/admin-events.ts';
import type { ProcessRefundRequest } from '#domain/contracts/refunds.ts';
import { call, list } from './client.ts';

export const useAdminEvents = () =>
  useQuery({
    queryKey: ['admin', 'events'],
    queryFn: ({ signal }) => list('GET /api/admin/events', { signal }),
    refetchOnMount: 'always',
  });

export const useAdminCities = () =>
  useQuery({
    queryKey: ['admin', 'cities'],
    queryFn: ({ signal }) => call('GET /api/admin/cities', { signal }),
  }).data ?? [];

/** The venues of a city. */
export const useAdminVenues = (cityId: number | undefined) =>
  useQuery({
    queryKey: ['admin', 'venues', cityId],
    queryFn: ({ signal }) =>
      call('GET /api/admin/venues/by-city/{cityId}', { params: { cityId: cityId ?? 0 }, signal }),
    enabled: cityId !== undefined,
  }).data ?? [];

/** Adds an event to the catalogue. */
export const createEvent = {
  send: (body: CreateEventRequest, idempotencyKey: string) =>
    call('POST /api/admin/events', { body, idempotencyKey }),
  stale: [['admin', 'events'], ['events']],
};

export const useRefundStats = () =>
  useQuery({
    queryKey: ['admin', 'refunds', 'stats'],
    queryFn: ({ signal }) => call('GET /api/admin/refunds/stats', { signal }),
    refetchOnMount: 'always',
  });

/** A page of the refunds. The one before stays while the next one comes. */
export const useRefunds = (query: { limit: number; offset: number }) =>
  useQuery({
    queryKey: ['admin', 'refunds', query],
    queryFn: ({ signal }) => list('GET /api/admin/refunds', { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Approves or denies a refund, or puts it back to review. */
export const processRefund = (id: number) => ({
  send: (body: ProcessRefundRequest, idempotencyKey: string) =>
    call('POST /api/admin/refunds/{id}/process', { params: { id }, body, idempotencyKey }),
  stale: [['admin', 'refunds']],
});
