import { type AccountState, shownOf } from '#domain/account/state.ts';
import type { AdminUser } from '#domain/contracts/admin-users.ts';
import type { User } from '#domain/contracts/auth.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { revisionOf } from '#domain/kernel/revision.ts';

export type UserParts = Pick<
  AccountState,
  | 'accountId'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'role'
  | 'dateOfBirth'
  | 'verified'
  | 'profileImageUrl'
  | 'favoriteCategories'
  | 'password'
  | 'google'
  | 'registeredAt'
>;

/** @throws if the account was never registered */
export const toUser = (account: UserParts): User => {
  const { accountId, registeredAt, password, google } = account;
  if (accountId === null || registeredAt === null) throw new Error('an account that was never registered');
  return {
    id: accountId,
    email: orElse(account.email, ''),
    firstName: orElse(account.firstName, ''),
    lastName: orElse(account.lastName, null),
    role: account.role,
    dateOfBirth: orElse(account.dateOfBirth, null),
    emailVerified: account.verified,
    profileImageUrl: orElse(account.profileImageUrl, null),
    preferences: { favoriteCategories: [...orElse(account.favoriteCategories, [])] },
    signInWith: [...(password ? (['password'] as const) : []), ...(google ? (['google'] as const) : [])],
    createdAt: registeredAt,
  };
};

export const toAdminUser = ({
  active,
  deletedAt,
  deletionReason,
  secondFactor,
  ...account
}: UserParts & {
  readonly secondFactor: boolean;
  readonly active: boolean;
  readonly deletedAt: string | null;
  readonly deletionReason: string | null;
}): AdminUser => ({
  ...toUser(account),
  revision: revisionOf(shownOf({ role: account.role, active: active && deletedAt === null })),
  isActive: active && deletedAt === null,
  secondFactor,
  isDeleted: deletedAt !== null,
  deletedAt,
  deletionReason,
});
