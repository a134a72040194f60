import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '#infra/event-log/recorded.ts';
import type { Clock } from '#infra/lib/clock.ts';

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
