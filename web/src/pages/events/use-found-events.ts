import type { EventFilters } from '../../api/catalogue.ts';
import { useFirstEvents } from './use-first-events.ts';

/** The first `wanted` events of a selection; where a search finds nothing, those of names that are spelt nearly so. */
export const useFoundEvents = (filters: EventFilters, wanted: number) => {
  const exact = useFirstEvents(filters, wanted);
  const isMissed = !!filters.search && exact.data?.total === 0;
  const near = useFirstEvents({ ...filters, spelling: 'near' }, wanted, isMissed);
  const isNear = isMissed && !!near.data?.total;
  // Nobody is told that there is nothing before it is known that nothing is near, either.
  const isOpen = isMissed && near.isLoading && !near.data;
  return {
    ...(isNear ? near : isOpen ? { ...exact, data: undefined } : exact),
    /** Whether these are spelt otherwise than what was searched for. */
    isNear,
  };
};
