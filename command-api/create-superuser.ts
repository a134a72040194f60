/** The password comes from a prompt or `SUPERUSER_PASSWORD`: other users of the machine can see the command line. */
import { createInterface } from 'node:readline/promises';
import { passwordProblems } from '#domain/account/password.ts';
import { registerRequest } from '#domain/contracts/auth.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { configOrExit, runTool } from '#infra/foundation/process.ts';
import { siteDatabase } from '#infra/foundation/site-database.ts';
import { argumentsOrExit } from '#infra/lib/arguments.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { registerAccount } from './accounts/registration.ts';
import { addFirstCategories } from './catalogue/first-categories.ts';
import { systemContext } from './commands/command-handler.ts';
import { createCommandDeps } from './deps/deps.ts';

const HELP = `Makes a superuser's account, and gives a new site its first categories.

  npm run create-superuser -- --email someone@example.com --first-name Ada [--last-name Lovelace]

The password is asked for, or read from the variable SUPERUSER_PASSWORD. It needs 8 characters or more, with an upper
and a lower case letter, a digit and a special character. The site may be running, or not.`;

const fail = (message: string): never => {
  console.error(message);
  process.exit(1);
};

const askPassword = async (): Promise<string> => {
  const given = process.env.SUPERUSER_PASSWORD;
  if (given) return given;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise((answer) => {
      terminal.once('close', () => answer(''));
      terminal.question('Password (shown as you type): ').then(answer, () => answer(''));
    });
  } finally {
    terminal.close();
  }
};

const values = argumentsOrExit(HELP, {
  email: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
});
if (!values.email || !values['first-name']) fail(HELP);

const password = await askPassword();
if (password === '') fail('\nNo password was given.');
const problems = passwordProblems(password);
if (problems.length > 0) fail(problems.join('\n'));
const request = registerRequest.safeParse({
  email: values.email,
  password,
  firstName: values['first-name'],
  lastName: values['last-name'],
});
if (!request.success) fail(request.error.issues.map(({ message }) => message).join('\n'));
const { email, firstName, lastName } = registerRequest.parse(request.data);

const config = configOrExit();
await runTool(async (life) => {
  const foundation = await layFoundation({
    name: 'create-superuser',
    config,
    ...(await siteDatabase(config, life, { make: true })),
    connections: 2,
    logger: createLogger({ name: 'create-superuser', level: 'warn' }),
  });
  life.onEnd(() => foundation.close());
  const deps = createCommandDeps(foundation);
  life.onEnd(() => deps.handler.drain());
  const acting = deps.handler.as(systemContext(deps.clock));
  try {
    const { accountId } = await registerAccount(
      deps,
      {
        email,
        firstName,
        lastName: lastName || null,
        profileImageUrl: null,
        role: 'superuser',
        verified: true,
        via: 'password',
        password,
      },
      acting,
    );
    await addFirstCategories(deps, acting);
    console.log(`${email} is a superuser now (account ${accountId}).`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
});
