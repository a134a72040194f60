import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { adminEventCalls, type CreateEventRequest } from '#domain/contracts/admin-events.ts';
import { adminPlaceCalls } from '#domain/contracts/admin-places.ts';
import { type ProcessRefundRequest, refundCalls } from '#domain/contracts/refunds.ts';
import { call, list } from './client.ts';

export const useAdminEvents = () =>
  useQuery({
    queryKey: ['admin', 'events'],
    queryFn: ({ signal }) => list(adminEventCalls.list, { signal }),
    refetchOnMount: 'always',
  });

export const useAdminCities = () =>
  useQuery({
    queryKey: ['admin', 'cities'],
    queryFn: ({ signal }) => call(adminPlaceCalls.cities, { signal }),
  }).data ?? [];

/** The venues of a city. */
export const useAdminVenues = (cityId: number | undefined) =>
  useQuery({
    queryKey: ['admin', 'venues', cityId],
    queryFn: ({ signal }) => call(adminPlaceCalls.venuesOfCity, { params: { cityId: cityId ?? 0 }, signal }),
    enabled: cityId !== undefined,
  }).data ?? [];

/** Adds an event to the catalogue. */
export const createEvent = {
  send: (body: CreateEventRequest, idempotencyKey: string) =>
    call(adminEventCalls.create, { body, idempotencyKey }),
  stale: [['admin', 'events'], ['events']],
};

export const useRefundStats = () =>
  useQuery({
    queryKey: ['admin', 'refunds', 'stats'],
    queryFn: ({ signal }) => call(refundCalls.stats, { signal }),
    refetchOnMount: 'always',
  });

/** A page of the refunds. The one before stays while the next one comes. */
export const useRefunds = (query: { limit: number; offset: number }) =>
  useQuery({
    queryKey: ['admin', 'refunds', query],
    queryFn: ({ signal }) => list(refundCalls.list, { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Approves or denies a refund, or puts it back to review. */
export const processRefund = (id: number) => ({
  send: (body: ProcessRefundRequest, idempotencyKey: string) =>
    call(refundCalls.process, { params: { id }, body, idempotencyKey }),
  stale: [['admin', 'refunds']],
});
