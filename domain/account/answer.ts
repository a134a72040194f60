/** What the API says of an account to whoever it belongs to: one builder, whether it is made from a row or from a state. */
import type { User } from '#domain/contracts/auth.ts';
import { orElse } from '#domain/personal.ts';
import type { AccountState } from './state.ts';

/** What is known of an account that was registered. */
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

/** The user, as the calls of `/api/auth` and `/api/profile` answer. */
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
