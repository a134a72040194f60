import { projectionCalls } from '#domain/contracts/admin-projections.ts';
import { useLastingQuery } from './answers.ts';
import { call } from './client.ts';
import { keyOf } from './key-of.ts';

/** How often the read models are looked at, in milliseconds: while work is under way, and else. */
const WHILE_BUSY = 1_000;
const USUALLY = 5_000;

/** The read models and the work on them, as they are now. */
export const useProjections = () =>
  useLastingQuery({
    queryKey: keyOf(projectionCalls.overview),
    queryFn: ({ signal }) => call(projectionCalls.overview, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data?.work[0]?.endedAt === null ? WHILE_BUSY : USUALLY),
  });
