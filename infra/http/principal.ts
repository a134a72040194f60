import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Role } from '#domain/account/events.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import type { Clock } from '#infra/lib/clock.ts';

export interface Visitor {
  readonly kind: 'visitor';
  readonly accountId: null;
  readonly role: 'visitor';
}

export interface SignedIn {
  readonly kind: 'user';
  readonly accountId: string;
  readonly role: Role;
  /** Not the token; safe to log and to key limits by. */
  readonly sessionId: string;
  readonly emailVerified: boolean;
  readonly profileComplete: boolean;
  readonly secondFactor: boolean;
  readonly withheldRole?: Role;
  readonly signedInAt: Date;
}

export type Principal = Visitor | SignedIn;

export const VISITOR: Visitor = Object.freeze({ kind: 'visitor', accountId: null, role: 'visitor' });

export const withRights = (principal: SignedIn, secondFactorRequired: boolean): SignedIn =>
  secondFactorRequired && !principal.secondFactor && principal.role !== 'user'
    ? { ...principal, role: 'user', withheldRole: principal.role }
    : principal;

/** @throws Refusal NOT_SIGNED_IN */
export const demandSignedIn = (principal: Principal): SignedIn => {
  if (principal.kind !== 'user') throw new Refusal('NOT_SIGNED_IN');
  return principal;
};

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
