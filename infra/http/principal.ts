import type { Role } from '#domain/account/events.ts';
import { Refusal } from '#domain/kernel/refusal.ts';

/** Somebody without a session. */
export interface Visitor {
  readonly kind: 'visitor';
  readonly accountId: null;
  readonly role: 'visitor';
}

/** Somebody signed in, as the session's row says: role and flags are written there when they change. */
export interface SignedIn {
  readonly kind: 'user';
  readonly accountId: string;
  readonly role: Role;
  /** Names the session without being its token; safe to log and to key limits by. */
  readonly sessionId: string;
  readonly emailVerified: boolean;
  /** Whether a date of birth is known. */
  readonly profileComplete: boolean;
  /** Whether they gave a code of a second factor when they signed in, or set one up since. */
  readonly secondFactor: boolean;
  /** The role of their account, where its rights are withheld until they have a second factor. `role` is then a customer's. */
  readonly withheldRole?: Role;
  /** When the person signed in. A replaced token does not change it. */
  readonly signedInAt: Date;
}

/** Who asks. Always on `request.principal`. */
export type Principal = Visitor | SignedIn;

/** Whoever has no session is this one. */
export const VISITOR: Visitor = Object.freeze({ kind: 'visitor', accountId: null, role: 'visitor' });

/** Somebody with the rights that they have by now: a customer's, where a second factor is required for more and they have none. */
export const withRights = (principal: SignedIn, secondFactorRequired: boolean): SignedIn =>
  secondFactorRequired && !principal.secondFactor && principal.role !== 'user'
    ? { ...principal, role: 'user', withheldRole: principal.role }
    : principal;

/** For calls that need an account. @throws Refusal NOT_SIGNED_IN */
export const demandSignedIn = (principal: Principal): SignedIn => {
  if (principal.kind !== 'user') throw new Refusal('NOT_SIGNED_IN');
  return principal;
};
