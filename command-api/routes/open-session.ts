import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinGoogle } from '#command-api/accounts/join-google.ts';
import { type FoundAccount, sessionFacts } from '#command-api/accounts/lookup.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { countedAddress } from '#infra/http/counted-address.ts';
import { deviceOf } from '#infra/http/device.ts';
import type { SignedIn } from '#infra/http/principal.ts';
import type { FederatedIdentity } from '#infra/identity/credentials.ts';
import { SECOND_STEP_LIFE } from '#infra/identity/second-steps.ts';
import type { SignInTry } from '#infra/observability/sign-ins.ts';
import { rememberDevice } from './attempts.ts';

const FACTS = ['role', 'verified', 'completed'] as const;

/**
 * Ends the browser's old session. Rereads the account afterwards: a concurrent change may have missed the
 * new one.
 * @throws Refusal NO_ACCOUNT, ACCOUNT_INACTIVE, or BAD_CREDENTIALS if the password or second factor changed
 * meanwhile
 */
export const openSession = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions, handler, devices }: Pick<CommandDeps, 'sessions' | 'handler' | 'devices'>,
  found: FoundAccount,
  secondFactor = false,
): Promise<SignedIn> => {
  const { accountId, state: before } = found;
  if (request.sessionToken !== null) await sessions.close(request.sessionToken);
  const opened = await sessions.open(
    { ...sessionFacts(found), secondFactor },
    deviceOf(request.headers['user-agent']),
  );
  const { state } = await handler.state(account, accountId);
  const same = state.passwordChanges === before.passwordChanges && state.secondFactor === secondFactor;
  const refusal = signInRefusal(state) ?? (same ? undefined : 'BAD_CREDENTIALS');
  if (refusal !== undefined) {
    await sessions.close(opened.token);
    throw new Refusal(refusal);
  }
  if (FACTS.some((fact) => state[fact] !== before[fact]))
    await sessions.update(accountId, sessionFacts({ accountId, state }));
  request.server.siteCookies.startSession(reply, opened);
  // An unverified registrant may not own the address.
  if (state.verified && !isErased(state.email)) rememberDevice(request, reply, { devices }, state.email);
  return opened.principal;
};

export const secondStepCookie = ({ config }: Pick<CommandDeps, 'config'>) => {
  const secure = config.baseUrl.startsWith('https:');
  return {
    name: `${secure ? '__Host-' : ''}reprise-second-step`,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  } as const;
};

/**
 * @param joins the Google identity to link once the code is given
 * @throws Refusal SECOND_FACTOR, and those of `openSession`
 */
export const finishFirstStep = async (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CommandDeps,
  found: FoundAccount,
  acting: ActingHandler,
  joins?: FederatedIdentity,
): Promise<SignedIn> => {
  const { accountId, state } = found;
  if (!state.secondFactor) {
    const joined = joins && (await joinGoogle(deps, joins, accountId, acting));
    return openSession(request, reply, deps, joined ?? found);
  }
  const { name, options } = secondStepCookie(deps);
  const step = deps.secondSteps.begin({
    accountId,
    passwordChanges: state.passwordChanges,
    joins,
  });
  reply.setCookie(name, step, { ...options, maxAge: SECOND_STEP_LIFE });
  throw new Refusal('SECOND_FACTOR');
};

export const telling = async <Result>(
  { tellSignIn }: Pick<CommandDeps, 'tellSignIn'>,
  { log, ip }: FastifyRequest,
  tried: Pick<SignInTry, 'way' | 'email'>,
  signIn: () => Promise<Result>,
): Promise<Result> => {
  const tell = (outcome: SignInTry['outcome']) =>
    tellSignIn(log, { ...tried, outcome, from: countedAddress(ip) });
  try {
    const result = await signIn();
    tell('success');
    return result;
  } catch (error) {
    if (error instanceof Refusal) tell(error.code);
    throw error;
  }
};
