import { useQuery } from '@tanstack/react-query';
import { type Category, catalogueCalls, type EventQuery, type Sort } from '#domain/contracts/catalogue.ts';
import { call, list } from './client.ts';
import { ApiError, failureOf } from './failure.ts';
import { fallbackCategories } from './fallback-categories.ts';
import { keyOf } from './key-of.ts';

/** Cities, cached ten minutes. */
export const useCities = () =>
  useQuery({
    queryKey: keyOf(catalogueCalls.cities),
    queryFn: ({ signal }) => call(catalogueCalls.cities, { signal }),
    staleTime: 600_000,
  }).data ?? [];

/** The categories; the specification's four where the call fails. */
export const useCategories = (): readonly Category[] => {
  const { data } = useQuery({
    queryKey: keyOf(catalogueCalls.categories),
    queryFn: ({ signal }) => call(catalogueCalls.categories, { signal }),
  });
  return data && data.length > 0 ? data : fallbackCategories;
};

/** A category's name as the pages show it: capitalised, whatever was typed. */
export const useCategoryName = (): ((slug: string) => string) => {
  const categories = useCategories();
  return (slug) => capitalised(categories.find((category) => category.slug === slug)?.name ?? slug);
};
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Lists of events are never kept: they are asked anew on each visit and each return to the window, with one retry. */
export const fresh = {
  staleTime: 0,
  gcTime: 0,
  refetchOnMount: 'always',
  refetchOnWindowFocus: true,
  retry: 1,
  retryDelay: 500,
} as const;

/** What the list of events can be asked for. */
export type EventFilters = Pick<EventQuery, 'category' | 'city' | 'search' | 'spelling'> & {
  featured?: boolean;
  sort?: Sort;
};

/** The first events of a selection. */
export const useEvents = (filters: EventFilters & { limit: number }, enabled = true) =>
  useQuery({
    queryKey: [...keyOf(catalogueCalls.events), 'first', filters],
    queryFn: ({ signal }) => list(catalogueCalls.events, { query: filters, signal }),
    enabled,
    ...fresh,
  });

/** Whether there is no such event. Any other failure says nothing of the event. */
export const isNoEvent = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404].includes(error.status) && failureOf(error) === 'refused';

/** One event. */
export const useEvent = (id: string | number) =>
  useQuery({
    queryKey: ['event', String(id)],
    queryFn: ({ signal }) => call(catalogueCalls.event, { params: { id }, signal }),
    enabled: /^\d+$/.test(String(id)),
    refetchOnMount: 'always',
  });
