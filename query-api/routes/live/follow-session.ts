import type { FastifyRequest } from 'fastify';
import { withRights } from '#infra/http/principal.ts';
import type { QueryContext } from '#query-api/context/context.ts';

/**
 * `end` also runs if the session ended before the call.
 * @returns a function that stops
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
