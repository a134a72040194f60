import { hashKey, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { catalogueCalls, type EventSummary, MOST_EVENTS } from '#domain/contracts/catalogue.ts';
import { type EventFilters, fresh } from '#web/lib/api/catalogue.ts';
import { list } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';

/** The previous events stay while more load or fail. A single query, so that a live refetch doesn't undo "Show more". */
export const useFirstEvents = (filters: EventFilters, wanted: number, enabled = true) => {
  const selection = [...keyOf(catalogueCalls.events, { query: filters }), 'most'];
  const { data, isError, isPending, refetch } = useQuery({
    enabled,
    queryKey: [...selection, wanted],
    queryFn: async ({ signal }) => {
      const items: EventSummary[] = [];
      let cursor: string | undefined;
      let total = 0;
      do {
        const limit = Math.min(MOST_EVENTS, wanted - items.length);
        const page = await list(catalogueCalls.events, { query: { ...filters, limit, cursor }, signal });
        items.push(...page.items);
        ({ cursor, total } = page);
      } while (cursor && items.length < wanted);
      return { items, total, hasMore: cursor !== undefined };
    },
    ...fresh,
  });
  const of = hashKey(selection);
  const last = useRef({ of, data });
  if (data || last.current.of !== of) last.current = { of, data };
  return {
    data: last.current.data,
    isLoading: enabled && isPending,
    failed: isError && !data,
    refetch,
  };
};
