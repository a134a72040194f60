import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

export type Role = 'user' | 'staff' | 'auditor' | 'admin' | 'superuser';
/** From the fewest rights to the most. */
export const ROLES: readonly Role[] = ['user', 'staff', 'auditor', 'admin', 'superuser'];

/** Stream `account-{uuid}`. Passwords and tokens are never in events. */
export const accountEvents = {
  AccountRegistered: defineEvent<{
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
  EmailVerified: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Email address verified'],
    work: false,
  }),
  ProfileCompleted: defineEvent<{
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
  PasswordChanged: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Password changed'],
    work: true,
  }),
  PasswordRemoved: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Password removed'],
    work: true,
  }),
  GoogleLinked: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Linked with Google'],
    work: false,
  }),
  SecondFactorEnrolled: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Second step switched on'],
    work: true,
  }),
  SecondFactorRemoved: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Second step switched off'],
    work: true,
  }),
  SecondFactorReset: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Second step reset'],
    work: true,
  }),
  RecoveryCodesRenewed: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Recovery codes renewed'],
    work: false,
  }),
  RoleChanged: defineEvent<{ accountId: string; from: Role; role: Role }>()({
    audit: ['update', 'user', ({ role }) => `Role is now ${role}`],
    work: true,
  }),
  AccountDeactivated: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Deactivated'],
    work: true,
  }),
  AccountActivated: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Activated'],
    work: false,
  }),
  AccountSoftDeleted: defineEvent<{ accountId: string; reason: Personal<string> }>()({
    sealed: ['reason'],
    person: (data) => data.accountId,
    audit: ['delete', 'user', 'Soft deleted'],
    work: true,
  }),
  AccountRestored: defineEvent<{ accountId: string }>()({
    audit: ['update', 'user', 'Restored'],
    work: false,
  }),
  AccountErased: defineEvent<{ accountId: string }>()({
    audit: ['delete', 'user', 'Deleted for good'],
    work: false,
  }),
};
export type AccountEvent = EventOf<typeof accountEvents>;
