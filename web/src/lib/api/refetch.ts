import { hashKey, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

const running = new Map<string, { again: boolean }>();

/** A first fetch is not restarted by invalidation, and its answer may predate the change. */
const isFirst = ({ state }: Query): boolean => state.fetchStatus === 'fetching' && state.data === undefined;

/**
 * Refetches all queries under a key. Further changes wait for the current refetch: each would otherwise
 * cancel it, and under frequent messages no data would ever arrive.
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
