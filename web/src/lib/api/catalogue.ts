import { useQuery } from '@tanstack/react-query';
import { type Category, catalogueCalls, type EventQuery, type Sort } from '#domain/contracts/catalogue.ts';
import { ApiError, failureOf } from '#web/lib/failure.ts';
import { call, list } from './client.ts';
import { fallbackCategories } from './fallback-categories.ts';
import { keyOf } from './key-of.ts';

export const useCities = () =>
  useQuery({
    queryKey: keyOf(catalogueCalls.cities),
    queryFn: ({ signal }) => call(catalogueCalls.cities, { signal }),
    staleTime: 600_000,
  }).data ?? [];

/** Falls back to the specification's four categories when the call fails. */
export const useCategories = (): readonly Category[] => {
  const { data } = useQuery({
    queryKey: keyOf(catalogueCalls.categories),
    queryFn: ({ signal }) => call(catalogueCalls.categories, { signal }),
  });
  return data && data.length > 0 ? data : fallbackCategories;
};

export const useCategoryName = (): ((slug: string) => string) => {
  const categories = useCategories();
  return (slug) => capitalised(categories.find((category) => category.slug === slug)?.name ?? slug);
};
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Event lists always refetch on mount and window focus, with one retry. */
export const fresh = {
  staleTime: 0,
  gcTime: 0,
  refetchOnMount: 'always',
  refetchOnWindowFocus: true,
  retry: 1,
  retryDelay: 500,
} as const;

export type EventFilters = Pick<EventQuery, 'category' | 'city' | 'search' | 'spelling'> & {
  featured?: boolean;
  sort?: Sort;
};

export const useEvents = (filters: EventFilters & { limit: number }, enabled = true) =>
  useQuery({
    queryKey: [...keyOf(catalogueCalls.events), 'first', filters],
    queryFn: ({ signal }) => list(catalogueCalls.events, { query: filters, signal }),
    enabled,
    ...fresh,
  });

export const isNoEvent = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404].includes(error.status) && failureOf(error) === 'refused';

export const useEvent = (id: string | number) =>
  useQuery({
    queryKey: ['event', String(id)],
    queryFn: ({ signal }) => call(catalogueCalls.event, { params: { id }, signal }),
    enabled: /^\d+$/.test(String(id)),
    refetchOnMount: 'always',
  });
