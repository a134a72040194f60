import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateEventRequest } from '#domain/contracts/admin-events.ts';
import type { ProcessRefundRequest } from '#domain/contracts/refunds.ts';
import { call, list } from './client.ts';

/** Refunds on a page of the list (the superusers' specification, section 9). */
export const REFUNDS_A_PAGE = 10;

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

export const useCreateEvent = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateEventRequest) => call('POST /api/admin/events', { body }),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: ['admin', 'events'] });
      client.invalidateQueries({ queryKey: ['events'] });
    },
  });
};

export const useRefundStats = () =>
  useQuery({
    queryKey: ['admin', 'refunds', 'stats'],
    queryFn: ({ signal }) => call('GET /api/admin/refunds/stats', { signal }),
    refetchOnMount: 'always',
  });

/** A page of the refunds, counted from 0. The page before stays while the next one comes. */
export const useRefunds = (page: number) =>
  useQuery({
    queryKey: ['admin', 'refunds', page],
    queryFn: ({ signal }) =>
      list('GET /api/admin/refunds', {
        query: { limit: REFUNDS_A_PAGE, offset: page * REFUNDS_A_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const useProcessRefund = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ProcessRefundRequest & { id: number }) =>
      call('POST /api/admin/refunds/{id}/process', { params: { id }, body }),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: ['admin', 'refunds'] });
    },
  });
};
