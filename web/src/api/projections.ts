import { projectionCalls } from '#domain/contracts/admin-projections.ts';
import { useLastingQuery } from './answers.ts';
import { call } from './client.ts';
import { keyOf } from './key-of.ts';

/** Polling intervals in milliseconds: during rebuilds, and otherwise. */
const WHILE_BUSY = 1_000;
const USUALLY = 5_000;

export const useProjections = () =>
  useLastingQuery({
    queryKey: keyOf(projectionCalls.overview),
    queryFn: ({ signal }) => call(projectionCalls.overview, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data?.work[0]?.endedAt === null ? WHILE_BUSY : USUALLY),
  });
