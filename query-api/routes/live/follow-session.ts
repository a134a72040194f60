import type { FastifyRequest } from 'fastify';
import { withRights } from '#infra/http/principal.ts';
import type { QueryContext } from '#query-api/context/context.ts';

/**
 * Runs `end` when the request's session ends or its rights change, even if that happened before the call.
 * Requests without a session are ignored.
 * @returns a function that stops following
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
