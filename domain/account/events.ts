import { type EventOf, type Personal, plain, sealed } from '#domain/personal.ts';

/** What an account may do goes by its role (`domain/contracts/capabilities.ts`). Customers are `user`. */
export type Role = 'user' | 'staff' | 'auditor' | 'admin' | 'superuser';
/** All roles, the least first. */
export const ROLES: readonly Role[] = ['user', 'staff', 'auditor', 'admin', 'superuser'];

/** Events of `account-{id}` (the id is a UUID). Secrets are never events. */
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
  GoogleLinked: plain<{ accountId: string }>(),
  RoleChanged: plain<{ accountId: string; from: Role; role: Role }>(),
  AccountDeactivated: plain<{ accountId: string }>(),
  AccountActivated: plain<{ accountId: string }>(),
  AccountSoftDeleted: sealed<{ accountId: string; reason: Personal<string> }>(
    ['reason'],
    (data) => data.accountId,
  ),
  AccountRestored: plain<{ accountId: string }>(),
  /** The key has been destroyed; nothing in the log names this person any more. */
  AccountErased: plain<{ accountId: string }>(),
};
export type AccountEvent = EventOf<typeof accountEvents>;
