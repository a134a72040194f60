import type { EventFilters } from '#web/lib/api/catalogue.ts';
import { useFirstEvents } from './use-first-events.ts';

export const useFoundEvents = (filters: EventFilters, wanted: number) => {
  const exact = useFirstEvents(filters, wanted);
  const isMissed = !!filters.search && exact.data?.total === 0;
  const near = useFirstEvents({ ...filters, spelling: 'near' }, wanted, isMissed);
  const isNear = isMissed && !!near.data?.total;
  // Don't show the empty state until the fuzzy search has answered, too.
  const isOpen = isMissed && near.isLoading && !near.data;
  return {
    ...(isNear ? near : isOpen ? { ...exact, data: undefined } : exact),
    isNear,
  };
};
