import { registerAccount } from '#command-api/accounts/registration.ts';
import { account } from '#domain/account/account.ts';
import { accountIdOf, accounts, DEMO_PASSWORD, type DemoPerson } from '#infra/identity/demo-accounts.ts';
import { actingAt, type DemoDeps } from './demo-deps.ts';
import { audience } from './people.ts';

const seedPerson = async (deps: DemoDeps, person: DemoPerson): Promise<void> => {
  const acting = actingAt(deps);
  const { at } = acting.context;
  const accountId = accountIdOf(person);
  await registerAccount(
    deps,
    {
      accountId,
      email: person.email,
      firstName: person.firstName,
      lastName: person.lastName,
      profileImageUrl: null,
      role: person.role,
      verified: true,
      via: 'password',
      password: person.signsIn ? DEMO_PASSWORD : null,
    },
    acting,
  );
  await acting.do(account, accountId, { type: 'VerifyEmail' });
  const command = {
    type: 'CompleteProfile',
    dateOfBirth: person.dateOfBirth,
    favoriteCategories: person.favorites,
    at,
  } as const;
  await acting.do(account, accountId, command);
};

export const seedAccounts = async (deps: DemoDeps): Promise<void> => {
  await Promise.all([...accounts, ...audience].map((person) => seedPerson(deps, person)));
};
