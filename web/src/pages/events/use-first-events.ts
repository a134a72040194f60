import { hashKey, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { catalogueCalls, type EventSummary, MOST_EVENTS } from '#domain/contracts/catalogue.ts';
import { type EventFilters, fresh } from '../../api/catalogue.ts';
import { list } from '../../api/client.ts';
import { keyOf } from '../../api/key-of.ts';

/**
 * The first `wanted` events of a selection. What was there stays while more of the same come, and where they don't. They are one answer,
 * so that a change elsewhere, which has them asked for anew, takes nobody's wish for more with it.
 */
export const useFirstEvents = (filters: EventFilters, wanted: number, enabled = true) => {
  const selection = [...keyOf(catalogueCalls.events), 'most', filters];
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
    /** The events; fewer than wanted where these are on their way or did not load. */
    data: last.current.data,
    isLoading: enabled && isPending,
    /** Whether those that are wanted did not load. */
    failed: isError && !data,
    refetch,
  };
};
