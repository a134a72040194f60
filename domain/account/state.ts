import type { ErrorCode } from '#domain/kernel/errors.ts';
import { erased, orElse, type Personal } from '#domain/kernel/personal.ts';
import type { Shown } from '#domain/kernel/revision.ts';
import type { AccountEvent, Role } from './events.ts';

/** The state of an account. Values that name the person may be `erased`. */
export interface AccountState {
  /** Null until it is registered. */
  readonly accountId: string | null;
  /** When it was registered, an ISO instant. */
  readonly registeredAt: string | null;
  readonly email: Personal<string>;
  readonly firstName: Personal<string>;
  readonly lastName: Personal<string | null>;
  readonly profileImageUrl: Personal<string | null>;
  /** `YYYY-MM-DD`; null while the profile is incomplete. */
  readonly dateOfBirth: Personal<string | null>;
  /** Category slugs. */
  readonly favoriteCategories: Personal<readonly string[]>;
  readonly role: Role;
  readonly password: boolean;
  /** How often the password was changed or removed. */
  readonly passwordChanges: number;
  readonly google: boolean;
  /** Whether a sign-in needs a code of an authenticator app too. */
  readonly secondFactor: boolean;
  readonly verified: boolean;
  /** Whether a date of birth was ever given. It stays true after an erasure. */
  readonly completed: boolean;
  readonly active: boolean;
  /** Whether it is soft-deleted: hidden, but with all its data. */
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
      // Values that were read before the key was destroyed are removed, so that a cached state equals one read anew.
      return { ...state, ...forgotten, erased: true, active: false };
  }
};

/** What superusers edit of an account. */
export const shownOf = ({ role, active }: Pick<AccountState, 'role' | 'active'>): Shown => ({
  role,
  isActive: active,
});

/** A person's whole name; empty if it was erased. */
export const nameOf = ({ firstName, lastName }: Pick<AccountState, 'firstName' | 'lastName'>): string =>
  [orElse(firstName, ''), orElse(lastName, '')].filter(Boolean).join(' ');

/** Why an account may not sign in although its password or identity is right; undefined if it may. */
export const signInRefusal = (state: AccountState): ErrorCode | undefined => {
  if (state.accountId === null || state.deleted || state.erased) return 'NO_ACCOUNT';
  return state.active ? undefined : 'ACCOUNT_INACTIVE';
};
