import { describe, expect, it } from 'vitest';
import { erased } from '#domain/kernel/personal.ts';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { type AccountCommand, account } from './account.ts';
import type { AccountEvent, Role } from './events.ts';
import { passwordProblems } from './password.ts';
import { signInRefusal } from './state.ts';

const accountId = 'ann';
const at = '2026-11-21T12:00:00.000Z';
const facts = {
  accountId,
  email: 'ann@example.org',
  firstName: 'Ann',
  lastName: null,
  profileImageUrl: null,
  via: 'password',
  role: 'user',
} as const;
const register: AccountCommand = { type: 'Register', ...facts, verified: false };
const registered: AccountEvent = { type: 'AccountRegistered', data: facts };
const as = (role: Role): AccountEvent => ({ type: 'AccountRegistered', data: { ...facts, role } });
const verified: AccountEvent = { type: 'EmailVerified', data: { accountId } };
const deactivated: AccountEvent = { type: 'AccountDeactivated', data: { accountId } };
const softDeleted: AccountEvent = { type: 'AccountSoftDeleted', data: { accountId, reason: 'asked to' } };
const gone: AccountEvent = { type: 'AccountErased', data: { accountId } };
const complete: AccountCommand = {
  type: 'CompleteProfile',
  dateOfBirth: '1990-02-28',
  favoriteCategories: ['culture', 'concerts', 'culture'],
  at,
};
const completed: AccountEvent = {
  type: 'ProfileCompleted',
  data: { accountId, dateOfBirth: '1990-02-28', favoriteCategories: ['culture', 'concerts'] },
};

describe('registering an account', () => {
  it('records the person once', () => {
    given(account, []).when(register).then([registered]);
    given(account, [registered]).when(register).thenNothing();
  });

  it('verifies the address if the provider has verified it', () => {
    given(account, [])
      .when({ ...register, verified: true })
      .then([registered, verified]);
  });

  it('is refused after an erasure', () => {
    given(account, [registered, gone]).when(register).thenRejected('ERASED');
  });
});

describe('an account’s profile', () => {
  it('verifies the address once', () => {
    given(account, [registered]).when({ type: 'VerifyEmail' }).then([verified]);
    given(account, [registered, verified]).when({ type: 'VerifyEmail' }).thenNothing();
  });

  it('is completed with a day of birth and favourites, each once', () => {
    given(account, [registered]).when(complete).then([completed]);
    given(account, [registered, completed]).when(complete).thenNothing();
  });

  it.each([
    ['today', '2026-11-21', 'Date of birth must be in the past'],
    ['next year', '2027-01-01', 'Date of birth must be in the past'],
    ['before anybody', '1899-12-31', 'Please check the year of birth'],
  ])('refuses a date of birth %s', (_, dateOfBirth, message) => {
    given(account, [registered])
      .when({ ...complete, dateOfBirth })
      .then({
        rejected: 'BAD_INPUT',
        details: { fields: { dateOfBirth: message }, errors: [message] },
      });
  });

  it('can be completed even if some values were erased', () => {
    const forgotten: AccountEvent = {
      type: 'ProfileCompleted',
      data: { accountId, dateOfBirth: erased, favoriteCategories: erased },
    };
    given(account, [registered, forgotten]).when(complete).then([completed]);
    expect(fold(account, [registered, forgotten]).completed).toBe(true);
  });

  it('records each change of password, and Google as a way to sign in once', () => {
    const changed: AccountEvent = { type: 'PasswordChanged', data: { accountId } };
    const linked: AccountEvent = { type: 'GoogleLinked', data: { accountId } };
    given(account, [registered, changed]).when({ type: 'RecordPasswordChange' }).then([changed]);
    const removed: AccountEvent = { type: 'PasswordRemoved', data: { accountId } };
    given(account, [registered]).when({ type: 'LinkGoogle' }).then([linked, removed]);
    given(account, [registered, linked, removed]).when({ type: 'LinkGoogle' }).thenNothing();
    // Another identity of the same person: the password that they have set meanwhile goes too.
    given(account, [registered, linked, removed, changed]).when({ type: 'LinkGoogle' }).then([removed]);
  });
});

describe('the second factor', () => {
  const enrolled: AccountEvent = { type: 'SecondFactorEnrolled', data: { accountId } };
  const removed: AccountEvent = { type: 'SecondFactorRemoved', data: { accountId } };
  const reset: AccountEvent = { type: 'SecondFactorReset', data: { accountId } };

  it('is enrolled once, and removed once', () => {
    given(account, [registered]).when({ type: 'EnrolSecondFactor' }).then([enrolled]);
    given(account, [registered, enrolled]).when({ type: 'EnrolSecondFactor' }).thenNothing();
    given(account, [registered, enrolled]).when({ type: 'RemoveSecondFactor' }).then([removed]);
    given(account, [registered, enrolled, removed]).when({ type: 'RemoveSecondFactor' }).thenNothing();
  });

  it('is reset by somebody else, never by its owner', () => {
    given(account, [registered, enrolled]).when({ type: 'ResetSecondFactor', by: 'sue' }).then([reset]);
    given(account, [registered, enrolled, reset])
      .when({ type: 'ResetSecondFactor', by: 'sue' })
      .thenNothing();
    given(account, [registered, enrolled]).when({ type: 'ResetSecondFactor', by: null }).then([reset]);
    given(account, [registered, enrolled])
      .when({ type: 'ResetSecondFactor', by: accountId })
      .thenRejected('NOT_YOURSELF');
  });

  it('gets new recovery codes only while it is enabled', () => {
    const renew = { type: 'RenewRecoveryCodes' } as const;
    given(account, [registered, enrolled])
      .when(renew)
      .then([{ type: 'RecoveryCodesRenewed', data: { accountId } }]);
    given(account, [registered, enrolled, removed]).when(renew).thenRejected('SECOND_FACTOR_OFF');
  });

  it('is disabled by a removal and by a reset', () => {
    expect(fold(account, [registered, enrolled]).secondFactor).toBe(true);
    expect(fold(account, [registered, enrolled, removed]).secondFactor).toBe(false);
    expect(fold(account, [registered, enrolled, reset]).secondFactor).toBe(false);
  });
});

describe('administering accounts', () => {
  it('changes a role', () => {
    given(account, [registered, verified])
      .when({ type: 'ChangeRole', role: 'staff', by: 'sue' })
      .then([{ type: 'RoleChanged', data: { accountId, from: 'user', role: 'staff' } }]);
    given(account, [as('staff')])
      .when({ type: 'ChangeRole', role: 'staff', by: 'sue' })
      .thenNothing();
  });

  it('gives no rights to an unverified account, but can take them away', () => {
    given(account, [registered])
      .when({ type: 'ChangeRole', role: 'staff', by: 'sue' })
      .thenRejected('ADDRESS_UNVERIFIED');
    given(account, [as('staff')])
      .when({ type: 'ChangeRole', role: 'admin', by: 'sue' })
      .thenRejected('ADDRESS_UNVERIFIED');
    given(account, [as('admin')])
      .when({ type: 'ChangeRole', role: 'user', by: 'sue' })
      .then([{ type: 'RoleChanged', data: { accountId, from: 'admin', role: 'user' } }]);
  });

  it.each<AccountCommand>([
    { type: 'ChangeRole', role: 'admin', by: accountId },
    { type: 'Deactivate', by: accountId },
    { type: 'SoftDelete', reason: '', by: accountId },
    { type: 'Erase', by: accountId },
  ])('is refused to superusers for their own account: $type', (command) => {
    given(account, [as('superuser')])
      .when(command)
      .thenRejected('NOT_YOURSELF');
    expect(
      given(account, [as('superuser')]).when({ ...command, by: 'sue' } as AccountCommand).decision,
    ).toHaveLength(1);
  });

  it('allows users to delete their own account', () => {
    given(account, [as('admin')])
      .when({ type: 'Erase', by: accountId })
      .then([gone]);
  });

  it('deactivates and activates', () => {
    given(account, [registered]).when({ type: 'Deactivate', by: 'sue' }).then([deactivated]);
    given(account, [registered, deactivated]).when({ type: 'Deactivate', by: 'sue' }).thenNothing();
    given(account, [registered, deactivated])
      .when({ type: 'Activate', by: 'sue' })
      .then([{ type: 'AccountActivated', data: { accountId } }]);
  });

  it('hides an account, which can then only be restored or erased', () => {
    given(account, [registered])
      .when({ type: 'SoftDelete', reason: 'asked to', by: 'sue' })
      .then([softDeleted]);
    given(account, [registered, softDeleted])
      .when({ type: 'ChangeRole', role: 'admin', by: 'sue' })
      .thenRejected('ACCOUNT_DELETED');
    given(account, [registered, softDeleted]).when({ type: 'Erase', by: 'sue' }).then([gone]);
  });

  it('reactivates a restored account', () => {
    const { state } = given(account, [registered, deactivated, softDeleted]).when({ type: 'Restore' });
    expect(state).toMatchObject({ deleted: false, active: true });
    given(account, [registered]).when({ type: 'Restore' }).thenNothing();
  });

  it('refuses everything for an erased account except a repeated erasure', () => {
    given(account, [registered, gone]).when({ type: 'Erase', by: null }).thenNothing();
    given(account, [registered, gone]).when({ type: 'Restore' }).thenRejected('ERASED');
    given(account, [registered, gone]).when(complete).thenRejected('ERASED');
  });

  it('requires an existing account', () => {
    given(account, []).when({ type: 'VerifyEmail' }).thenRejected('NOT_FOUND');
  });
});

describe('signing in as', () => {
  it.each([
    ['nobody', [], 'NO_ACCOUNT'],
    ['a soft-deleted one', [registered, softDeleted], 'NO_ACCOUNT'],
    ['an erased one', [registered, gone], 'NO_ACCOUNT'],
    ['a deactivated one', [registered, deactivated], 'ACCOUNT_INACTIVE'],
    ['an active one', [registered], undefined],
  ] as const)('%s', (_, history, refusal) => {
    expect(signInRefusal(fold(account, history))).toBe(refusal);
  });
});

describe('a new password at a reset', () => {
  it('reports every rule that it breaks', () => {
    expect(passwordProblems('')).toHaveLength(5);
    expect(passwordProblems('Encore2026')).toEqual(['Password must contain a special character']);
    expect(passwordProblems('encore-2026!')).toEqual(['Password must contain an uppercase letter']);
    expect(passwordProblems('ENCORE-2026!')).toEqual(['Password must contain a lowercase letter']);
    expect(passwordProblems('Encore-Encore!')).toEqual(['Password must contain a digit']);
    expect(passwordProblems('En-2026')).toEqual(['Password must be at least 8 characters']);
    expect(passwordProblems('Encore-2026!')).toEqual([]);
  });
});
