import { type EventOf, type Personal, plain, sealed } from '#domain/kernel/personal.ts';

/** The role of an account, which decides what it may do (`domain/contracts/capabilities.ts`). Customers are `user`. */
export type Role = 'user' | 'staff' | 'auditor' | 'admin' | 'superuser';
/** All roles, from the least rights to the most. */
export const ROLES: readonly Role[] = ['user', 'staff', 'auditor', 'admin', 'superuser'];

/** The events of `account-{id}`; the id is a UUID. Passwords and tokens are never in events. */
export const accountEvents = {
  AccountRegistered: sealed<{
    accountId: string;
    email: Personal<string>;
    firstName: Personal<string>;
    lastName: Personal<string | null>;
    profileImageUrl: Personal<string | null>;
    via: 'password' | 'google';
    role: Role;
  }>(['email', 'firstName', 'lastName', 'profileImageUrl'], (data) => data.accountId),
  EmailVerified: plain<{ accountId: string }>(),
  ProfileCompleted: sealed<{
    accountId: string;
    /** `YYYY-MM-DD` */
    dateOfBirth: Personal<string>;
    /** Category slugs. */
    favoriteCategories: Personal<readonly string[]>;
  }>(['dateOfBirth', 'favoriteCategories'], (data) => data.accountId),
  PasswordChanged: plain<{ accountId: string }>(),
  /** From now on nobody signs in with a password, until a new one is set. */
  PasswordRemoved: plain<{ accountId: string }>(),
  GoogleLinked: plain<{ accountId: string }>(),
  /** From now on a sign-in needs a code of the person's authenticator app too. */
  SecondFactorEnrolled: plain<{ accountId: string }>(),
  /** By the person. */
  SecondFactorRemoved: plain<{ accountId: string }>(),
  /** By a superuser, for somebody who lost the app and the recovery codes. */
  SecondFactorReset: plain<{ accountId: string }>(),
  RecoveryCodesRenewed: plain<{ accountId: string }>(),
  RoleChanged: plain<{ accountId: string; from: Role; role: Role }>(),
  AccountDeactivated: plain<{ accountId: string }>(),
  AccountActivated: plain<{ accountId: string }>(),
  AccountSoftDeleted: sealed<{ accountId: string; reason: Personal<string> }>(
    ['reason'],
    (data) => data.accountId,
  ),
  AccountRestored: plain<{ accountId: string }>(),
  /** The person's key was destroyed: nothing in the log names them any more. */
  AccountErased: plain<{ accountId: string }>(),
};
export type AccountEvent = EventOf<typeof accountEvents>;
