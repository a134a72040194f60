import { registerAccount } from '#command-api/accounts/registration.ts';
import { account } from '#domain/account/account.ts';
import { accepted } from '#infra/http/errors.ts';
import { type DemoDeps, step } from './demo-deps.ts';
import { accountIdOf, accounts, audience, DEMO_PASSWORD, type DemoPerson } from './people.ts';

const seedPerson = async (deps: DemoDeps, person: DemoPerson): Promise<void> => {
  const { lane, context } = deps;
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
    step(context),
  );
  accepted(await lane.execute(account, accountId, { type: 'VerifyEmail' }, step(context)));
  const command = {
    type: 'CompleteProfile',
    dateOfBirth: person.dateOfBirth,
    favoriteCategories: person.favorites,
    at: context.at,
  } as const;
  accepted(await lane.execute(account, accountId, command, step(context)));
};

/** Registers all people of the demo. A repeat changes nothing. */
export const seedAccounts = async (deps: DemoDeps): Promise<void> => {
  await Promise.all([...accounts, ...audience].map((person) => seedPerson(deps, person)));
};
