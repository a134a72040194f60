import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '#infra/event-log/recorded.ts';
import type { Clock } from '#infra/lib/clock.ts';

/**
 * Who asks for a change, when, and under which correlation: what stands in the meta of every event that comes of it.
 * The request's id correlates everything that one request sets off; `commandId` is new unless the caller has one to repeat.
 */
export const contextOf = (
  request: FastifyRequest,
  clock: Clock,
  commandId: string = randomUUID(),
): Context => {
  const { principal } = request;
  return {
    commandId,
    actor:
      principal.kind === 'user'
        ? { kind: 'user', id: principal.accountId, role: principal.role, ip: request.ip }
        : { kind: 'visitor', ip: request.ip },
    at: clock().toISOString(),
    correlationId: request.id,
  };
};
