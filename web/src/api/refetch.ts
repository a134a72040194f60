import { hashKey, type QueryKey } from '@tanstack/react-query';
import { queryClient } from './queries.ts';

/** What is refetched at the moment, and whether it changed again since that began. */
const running = new Map<string, { again: boolean }>();

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
    run.again = false;
    await queryClient.invalidateQueries({ queryKey });
  } while (run.again);
  running.delete(name);
};
