import type { Role } from '#domain/account/events.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

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
