import type { ErrorCode } from '#domain/kernel/errors.ts';
import { erased, orElse, type Personal } from '#domain/kernel/personal.ts';
import type { Shown } from '#domain/kernel/revision.ts';
import type { AccountEvent, Role } from './events.ts';

export interface AccountState {
  readonly accountId: string | null;
  readonly registeredAt: string | null;
  readonly email: Personal<string>;
  readonly firstName: Personal<string>;
  readonly lastName: Personal<string | null>;
  readonly profileImageUrl: Personal<string | null>;
  /** `YYYY-MM-DD`; null while the profile is incomplete. */
  readonly dateOfBirth: Personal<string | null>;
  readonly favoriteCategories: Personal<readonly string[]>;
  readonly role: Role;
  readonly password: boolean;
  readonly passwordChanges: number;
  readonly google: boolean;
  readonly secondFactor: boolean;
  readonly verified: boolean;
  /** Stays true after an erasure. */
  readonly completed: boolean;
  readonly active: boolean;
  readonly deleted: boolean;
  readonly erased: boolean;
}

export const initial: AccountState = {
  accountId: null,
  registeredAt: null,
  email: '',
  firstName: '',
  lastName: null,
  profileImageUrl: null,
  dateOfBirth: null,
  favoriteCategories: [],
  role: 'user',
  password: false,
  passwordChanges: 0,
  google: false,
  secondFactor: false,
  verified: false,
  completed: false,
  active: false,
  deleted: false,
  erased: false,
};

const forgotten = {
  email: erased,
  firstName: erased,
  lastName: erased,
  profileImageUrl: erased,
  dateOfBirth: erased,
  favoriteCategories: erased,
} as const;

export const evolve = (state: AccountState, event: AccountEvent, at: string): AccountState => {
  switch (event.type) {
    case 'AccountRegistered': {
      const { via, ...registered } = event.data;
      return {
        ...initial,
        ...registered,
        registeredAt: at,
        password: via === 'password',
        google: via === 'google',
        active: true,
      };
    }
    case 'EmailVerified':
      return { ...state, verified: true };
    case 'ProfileCompleted': {
      const { dateOfBirth, favoriteCategories } = event.data;
      return { ...state, dateOfBirth, favoriteCategories, completed: true };
    }
    case 'PasswordChanged':
      return { ...state, password: true, passwordChanges: state.passwordChanges + 1 };
    case 'PasswordRemoved':
      return { ...state, password: false, passwordChanges: state.passwordChanges + 1 };
    case 'GoogleLinked':
      return { ...state, google: true };
    case 'SecondFactorEnrolled':
      return { ...state, secondFactor: true };
    case 'SecondFactorRemoved':
    case 'SecondFactorReset':
      return { ...state, secondFactor: false };
    case 'RecoveryCodesRenewed':
      return state;
    case 'RoleChanged':
      return { ...state, role: event.data.role };
    case 'AccountDeactivated':
      return { ...state, active: false };
    case 'AccountActivated':
      return { ...state, active: true };
    case 'AccountSoftDeleted':
      return { ...state, deleted: true, active: false };
    case 'AccountRestored':
      return { ...state, deleted: false, active: true };
    case 'AccountErased':
      // Drop values read before the key was destroyed, so cached and fresh states are equal.
      return { ...state, ...forgotten, erased: true, active: false };
  }
};

export const shownOf = ({ role, active }: Pick<AccountState, 'role' | 'active'>): Shown => ({
  role,
  isActive: active,
});

/** Empty if the name was erased. */
export const nameOf = ({ firstName, lastName }: Pick<AccountState, 'firstName' | 'lastName'>): string =>
  [orElse(firstName, ''), orElse(lastName, '')].filter(Boolean).join(' ');

export const signInRefusal = (state: AccountState): ErrorCode | undefined => {
  if (state.accountId === null || state.deleted || state.erased) return 'NO_ACCOUNT';
  return state.active ? undefined : 'ACCOUNT_INACTIVE';
};
