import { projectionCalls } from '#domain/contracts/admin-projections.ts';
import { call } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { useLastingQuery } from '#web/lib/api/use-answer.ts';

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
