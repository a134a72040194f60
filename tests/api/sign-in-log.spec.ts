import { beforeAll, expect, it } from 'vitest';
import { authCalls } from '#domain/contracts/auth.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';

const PASSWORD = 'correct horse';
const lines: string[] = [];

let site: StandingApi;
beforeAll(async () => {
  const logger = createLogger(
    { name: 'spec', level: 'info' },
    { write: (line: string) => void lines.push(line) },
  );
  site = await startCommandApi({ logger });
});

/** The lines about sign-ins since the last time. */
const told = () =>
  lines
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'sign-in');
const signIn = (email: string, password: string, address: string) =>
  site.visitor(address).send(authCalls.login, { body: { email, password } });

it('sign-in attempts are logged with keyed hashes that stay the same and reveal nothing', async () => {
  const email = 'tess@people.example';
  const person = { email, password: PASSWORD, firstName: 'Tess' };
  await site.visitor().ask(authCalls.register, { body: person });
  told();
  await signIn(email, PASSWORD, '198.51.100.1');
  await signIn(email.toUpperCase(), 'not this one', '198.51.100.1');
  await signIn(email, PASSWORD, '198.51.100.2');
  await signIn('nobody@people.example', PASSWORD, '2001:db8::7');
  expect(lines.join()).not.toMatch(
    /tess|nobody|people\.example|198\.51|2001:db8|correct horse|not this one/i,
  );
  const tries = told();
  expect(tries.map(({ way, outcome }) => [way, outcome])).toEqual([
    ['password', 'success'],
    ['password', 'BAD_CREDENTIALS'],
    ['password', 'success'],
    ['password', 'NO_ACCOUNT'],
  ]);
  const [first, wrong, elsewhere, nobody] = tries;
  expect(first.account).toMatch(/^[0-9a-f]{32}$/);
  expect([wrong.account, elsewhere.account]).toEqual([first.account, first.account]);
  expect(nobody.account).not.toBe(first.account);
  expect(wrong.from).toBe(first.from);
  expect(new Set([first.from, elsewhere.from, nobody.from, first.account]).size).toBe(4);
  for (const line of tries) expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

it('sign-in attempts refused by a limit are logged too', async () => {
  const email = 'ursula@people.example';
  for (let count = 0; count < 6; count += 1) await signIn(email, `guess ${count}`, '198.51.100.3');
  expect(told().map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 5 }, () => 'NO_ACCOUNT'),
    'TOO_MANY',
  ]);
});
