import { projectionCalls } from '#domain/contracts/admin-projections.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';

/** Polling intervals in milliseconds: during rebuilds, and otherwise. */
const WHILE_BUSY = 1_000;
const USUALLY = 5_000;

export const useProjections = () =>
  useAnswer(projectionCalls.overview, undefined, {
    refetchInterval: ({ state: { data } }) => (data?.work[0]?.endedAt === null ? WHILE_BUSY : USUALLY),
  });
