import { type EventOf, event } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** The role of an account, which decides what it may do (`domain/contracts/capabilities.ts`). Customers are `user`. */
export type Role = 'user' | 'staff' | 'auditor' | 'admin' | 'superuser';
/** All roles, from the least rights to the most. */
export const ROLES: readonly Role[] = ['user', 'staff', 'auditor', 'admin', 'superuser'];

/** The events of `account-{id}`; the id is a UUID. Passwords and tokens are never in events. */
export const accountEvents = {
  AccountRegistered: event<{
    accountId: string;
    email: Personal<string>;
    firstName: Personal<string>;
    lastName: Personal<string | null>;
    profileImageUrl: Personal<string | null>;
    via: 'password' | 'google';
    role: Role;
  }>()({
    sealed: ['email', 'firstName', 'lastName', 'profileImageUrl'],
    person: (data) => data.accountId,
    audit: ['create', 'user', 'Registered'],
    work: false,
  }),
  EmailVerified: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Email address verified'],
    work: false,
  }),
  ProfileCompleted: event<{
    accountId: string;
    /** `YYYY-MM-DD` */
    dateOfBirth: Personal<string>;
    /** Category slugs. */
    favoriteCategories: Personal<readonly string[]>;
  }>()({
    sealed: ['dateOfBirth', 'favoriteCategories'],
    person: (data) => data.accountId,
    audit: ['update', 'user', 'Profile completed'],
    work: false,
  }),
  PasswordChanged: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Password changed'],
    work: true,
  }),
  /** From now on nobody signs in with a password, until a new one is set. */
  PasswordRemoved: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Password removed'],
    work: true,
  }),
  GoogleLinked: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Linked with Google'],
    work: false,
  }),
  /** From now on a sign-in needs a code of the person's authenticator app too. */
  SecondFactorEnrolled: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Second step switched on'],
    work: true,
  }),
  /** By the person. */
  SecondFactorRemoved: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Second step switched off'],
    work: true,
  }),
  /** By a superuser, for somebody who lost the app and the recovery codes. */
  SecondFactorReset: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Second step reset'],
    work: true,
  }),
  RecoveryCodesRenewed: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Recovery codes renewed'],
    work: false,
  }),
  RoleChanged: event<{ accountId: string; from: Role; role: Role }>()({
    audit: ['update', 'user', ({ role }) => `Role is now ${role}`],
    work: true,
  }),
  AccountDeactivated: event<{ accountId: string }>()({
    audit: ['update', 'user', 'Deactivated'],
    work: true,
  }),
  AccountActivated: event<{ accountId: string }>()({ audit: ['update', 'user', 'Activated'], work: false }),
  AccountSoftDeleted: event<{ accountId: string; reason: Personal<string> }>()({
    sealed: ['reason'],
    person: (data) => data.accountId,
    audit: ['delete', 'user', 'Soft deleted'],
    work: true,
  }),
  AccountRestored: event<{ accountId: string }>()({ audit: ['update', 'user', 'Restored'], work: false }),
  /** The person's key was destroyed: nothing in the log names them any more. */
  AccountErased: event<{ accountId: string }>()({
    audit: ['delete', 'user', 'Deleted for good'],
    work: false,
  }),
};
export type AccountEvent = EventOf<typeof accountEvents>;
