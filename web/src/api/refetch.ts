import { hashKey, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from './queries.ts';

/** What is refetched at the moment, and whether it changed again since that began. */
const running = new Map<string, { again: boolean }>();

/** Whether a query is asked for the first time. That is not begun anew, and its answer may be from before a change. */
const isFirst = ({ state }: Query): boolean => state.fetchStatus === 'fetching' && state.data === undefined;

/**
 * Refetches what has changed elsewhere, everything whose key begins with this one. A further change waits for the end of that: where
 * messages come faster than answers, each would otherwise have the answer before it begin anew, and nobody would ever see one.
 */
export const refetch = async (queryKey: QueryKey): Promise<void> => {
  const name = hashKey(queryKey);
  const before = running.get(name);
  if (before) {
    before.again = true;
    return;
  }
  const run = { again: false };
  running.set(name, run);
  do {
    run.again = queryClient.isFetching({ queryKey, type: 'active', predicate: isFirst }) > 0;
    await queryClient.invalidateQueries({ queryKey });
  } while (run.again);
  running.delete(name);
};
