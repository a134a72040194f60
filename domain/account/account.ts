import { type Aggregate, badInput, type Decision, reject } from '#domain/kernel/decider.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { type AccountEvent, ROLES, type Role } from './events.ts';
import { type AccountState, evolve, initial, shownOf } from './state.ts';

/**
 * `by` is null for the system. Times are ISO instants. Before a superuser's rights end, `domain/superusers`
 * must accept `Leave`.
 */
export type AccountCommand =
  | {
      readonly type: 'Register';
      readonly accountId: string;
      readonly email: string;
      readonly firstName: string;
      readonly lastName: string | null;
      readonly profileImageUrl: string | null;
      readonly via: 'password' | 'google';
      readonly role: Role;
      readonly verified: boolean;
    }
  | { readonly type: 'VerifyEmail' }
  | {
      readonly type: 'CompleteProfile';
      /** `YYYY-MM-DD` */
      readonly dateOfBirth: string;
      readonly favoriteCategories: readonly string[];
      readonly at: string;
    }
  /** Given after the new password is stored. */
  | { readonly type: 'RecordPasswordChange' }
  /** Removes the password: the person who registered may not own the address. */
  | { readonly type: 'LinkGoogle' }
  /** Given after a code has proved the secret. */
  | { readonly type: 'EnrolSecondFactor' }
  | { readonly type: 'RemoveSecondFactor' }
  /** `by` is null for an operator of the machine. */
  | { readonly type: 'ResetSecondFactor'; readonly by: string | null }
  | { readonly type: 'RenewRecoveryCodes' }
  | { readonly type: 'ChangeRole'; readonly role: Role; readonly by: string | null }
  | { readonly type: 'Deactivate'; readonly by: string | null }
  | { readonly type: 'Activate'; readonly by: string | null }
  | { readonly type: 'SoftDelete'; readonly reason: string; readonly by: string | null }
  | { readonly type: 'Restore' }
  /** Given after the person's key was destroyed. `by` may be the person, unless a superuser. */
  | { readonly type: 'Erase'; readonly by: string | null };

type Command<Type extends AccountCommand['type']> = Extract<AccountCommand, { type: Type }>;

const EARLIEST_BIRTH = '1900-01-01';

/**
 * Refuses with NOT_FOUND, ERASED, ACCOUNT_DELETED (except `Restore` and `Erase`), NOT_YOURSELF,
 * ADDRESS_UNVERIFIED (a higher role), SECOND_FACTOR_OFF, BAD_INPUT (date of birth).
 */
const decide = (state: AccountState, command: AccountCommand): Decision<AccountEvent> => {
  if (command.type === 'Register') return register(state, command);
  const { accountId } = state;
  if (accountId === null) return reject('NOT_FOUND');
  if (state.erased) return command.type === 'Erase' ? [] : reject('ERASED');
  switch (command.type) {
    case 'Erase':
      return isOwnSuperuser(state, command.by)
        ? reject('NOT_YOURSELF')
        : [{ type: 'AccountErased', data: { accountId } }];
    case 'Restore':
      return state.deleted ? [{ type: 'AccountRestored', data: { accountId } }] : [];
    case 'SoftDelete':
      if (state.deleted) return [];
      if (isOwnSuperuser(state, command.by)) return reject('NOT_YOURSELF');
      return [{ type: 'AccountSoftDeleted', data: { accountId, reason: command.reason } }];
  }
  if (state.deleted) return reject('ACCOUNT_DELETED');
  switch (command.type) {
    case 'VerifyEmail':
      return state.verified ? [] : [{ type: 'EmailVerified', data: { accountId } }];
    case 'CompleteProfile':
      return completeProfile(state, accountId, command);
    case 'RecordPasswordChange':
      return [{ type: 'PasswordChanged', data: { accountId } }];
    case 'LinkGoogle':
      return linkGoogle(state, accountId);
    case 'EnrolSecondFactor':
      return state.secondFactor ? [] : [{ type: 'SecondFactorEnrolled', data: { accountId } }];
    case 'RemoveSecondFactor':
      return state.secondFactor ? [{ type: 'SecondFactorRemoved', data: { accountId } }] : [];
    case 'ResetSecondFactor':
      if (command.by === accountId) return reject('NOT_YOURSELF');
      return state.secondFactor ? [{ type: 'SecondFactorReset', data: { accountId } }] : [];
    case 'RenewRecoveryCodes':
      return state.secondFactor
        ? [{ type: 'RecoveryCodesRenewed', data: { accountId } }]
        : reject('SECOND_FACTOR_OFF');
    case 'ChangeRole': {
      const { role, by } = command;
      if (role === state.role) return [];
      if (isOwnSuperuser(state, by)) return reject('NOT_YOURSELF');
      // An attacker could register another person's address and be promoted by mistake.
      if (!state.verified && ROLES.indexOf(role) > ROLES.indexOf(state.role))
        return reject('ADDRESS_UNVERIFIED');
      return [{ type: 'RoleChanged', data: { accountId, from: state.role, role } }];
    }
    case 'Deactivate':
      if (!state.active) return [];
      if (isOwnSuperuser(state, command.by)) return reject('NOT_YOURSELF');
      return [{ type: 'AccountDeactivated', data: { accountId } }];
    case 'Activate':
      return state.active ? [] : [{ type: 'AccountActivated', data: { accountId } }];
  }
};

const isOwnSuperuser = (state: AccountState, by: string | null): boolean =>
  state.role === 'superuser' && by === state.accountId;

const register = (state: AccountState, command: Command<'Register'>): Decision<AccountEvent> => {
  if (state.accountId !== null) return state.erased ? reject('ERASED') : [];
  const { type: _, verified, ...registered } = command;
  const { accountId } = registered;
  const events: AccountEvent[] = [{ type: 'AccountRegistered', data: registered }];
  if (verified) events.push({ type: 'EmailVerified', data: { accountId } });
  return events;
};

const linkGoogle = ({ google, password }: AccountState, accountId: string): readonly AccountEvent[] => {
  const events: AccountEvent[] = [];
  if (!google) events.push({ type: 'GoogleLinked', data: { accountId } });
  if (password) events.push({ type: 'PasswordRemoved', data: { accountId } });
  return events;
};

const completeProfile = (
  state: AccountState,
  accountId: string,
  { dateOfBirth, favoriteCategories, at }: Command<'CompleteProfile'>,
): Decision<AccountEvent> => {
  if (dateOfBirth >= at.slice(0, 10)) return badInput({ dateOfBirth: 'Date of birth must be in the past' });
  if (dateOfBirth < EARLIEST_BIRTH) return badInput({ dateOfBirth: 'Please check the year of birth' });
  const favorites = [...new Set(favoriteCategories)];
  const before = state.favoriteCategories;
  const same = !isErased(before) && before.join() === favorites.join() && state.dateOfBirth === dateOfBirth;
  if (same) return [];
  return [{ type: 'ProfileCompleted', data: { accountId, dateOfBirth, favoriteCategories: favorites } }];
};

export const account: Aggregate<AccountState, AccountCommand, AccountEvent> = {
  name: 'account',
  shown: shownOf,
  names: ({ accountId }) => accountId,
  initial,
  evolve,
  decide,
};
