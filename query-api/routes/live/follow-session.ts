import type { FastifyRequest } from 'fastify';
import { withRights } from '#infra/http/principal.ts';
import type { QueryContext } from '#query-api/context/context.ts';

/**
 * Runs `end` once the session of a request has ended or has other rights, also where that was before it is followed. The returned
 * function takes it back. Nobody who has no session loses one.
 */
export const followSession = (
  {
    sessions,
    endings,
    config,
  }: Pick<QueryContext, 'sessions' | 'endings'> & {
    readonly config: Pick<QueryContext['config'], 'secondFactorRequired'>;
  },
  { principal, sessionToken }: Pick<FastifyRequest, 'principal' | 'sessionToken'>,
  end: () => void,
): (() => void) => {
  if (principal.kind !== 'user' || sessionToken === null) return () => undefined;
  const forget = endings.follow(principal.sessionId, end);
  const look = async (): Promise<void> => {
    const found = await sessions.find(sessionToken);
    const role = found && withRights(found.principal, config.secondFactorRequired).role;
    if (role !== principal.role) end();
  };
  look().catch(end);
  return forget;
};
