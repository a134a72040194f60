import { type Category, catalogueCalls, type EventQuery, type Sort } from '#domain/contracts/catalogue.ts';
import { fallbackCategories } from './fallback-categories.ts';
import { useAnswer, useList } from './use-answer.ts';

export const useCities = () =>
  useAnswer(catalogueCalls.cities, undefined, { refetchOnMount: true, staleTime: 600_000 }).data ?? [];

/** Falls back to the specification's four categories when the call fails. */
export const useCategories = (): readonly Category[] => {
  const { data } = useAnswer(catalogueCalls.categories, undefined, { refetchOnMount: true });
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
  useList(catalogueCalls.events, { query: filters }, { placeholderData: undefined, enabled, ...fresh });
