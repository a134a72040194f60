import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinGoogle } from '#command-api/accounts/join-google.ts';
import {
  accountByAddress,
  type FoundAccount,
  maySignIn,
  sessionFacts,
} from '#command-api/accounts/lookup.ts';
import { sendVerification } from '#command-api/accounts/mail-links.ts';
import { registerAccount } from '#command-api/accounts/registration.ts';
import { demandSecondFactor } from '#command-api/accounts/second-factor.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { toUser } from '#domain/account/answer.ts';
import { type AccountState, signInRefusal } from '#domain/account/state.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { isErased, orElse } from '#domain/personal.ts';
import { Refusal } from '#domain/refusal.ts';
import { countAddress, countedAddress } from '#infra/http/counted-address.ts';
import { belongsTo } from '#infra/http/csrf.ts';
import { deviceOf } from '#infra/http/device.ts';
import { type SignedIn, withRights } from '#infra/http/principal.ts';
import { type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { FederatedIdentity } from '#infra/identity/credentials.ts';
import { SECOND_STEP_LIFE } from '#infra/identity/second-steps.ts';
import type { SignInTry } from '#infra/observability/sign-ins.ts';
import { countAttempt, rememberDevice, uncountSignIn } from './attempts.ts';

const FACTS = ['role', 'verified', 'completed'] as const;

/**
 * Opens a session and sets its cookies. The browser's old session ends: no token survives a sign-in. A change of the account that
 * ends or updates its sessions may have missed this one, so that the account is read again once the session is stored.
 * @param secondFactor whether a code of the account's second factor was given
 * @throws Refusal NO_ACCOUNT, ACCOUNT_INACTIVE, or BAD_CREDENTIALS when password or second factor are others by now
 */
export const openSession = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions, lane, devices }: Pick<CommandDeps, 'sessions' | 'lane' | 'devices'>,
  found: FoundAccount,
  secondFactor = false,
): Promise<SignedIn> => {
  const { accountId, state: before } = found;
  if (request.sessionToken !== null) await sessions.close(request.sessionToken);
  const opened = await sessions.open(
    { ...sessionFacts(found), secondFactor },
    deviceOf(request.headers['user-agent']),
  );
  const { state } = await lane.state(account, accountId);
  const same = state.passwordChanges === before.passwordChanges && state.secondFactor === secondFactor;
  const refusal = signInRefusal(state) ?? (same ? undefined : 'BAD_CREDENTIALS');
  if (refusal !== undefined) {
    await sessions.close(opened.token);
    throw new Refusal(refusal);
  }
  if (FACTS.some((fact) => state[fact] !== before[fact]))
    await sessions.update(accountId, sessionFacts({ accountId, state }));
  request.server.siteCookies.startSession(reply, opened);
  // Who has only registered an address may be a stranger to it.
  if (state.verified && !isErased(state.email)) rememberDevice(request, reply, { devices }, state.email);
  return opened.principal;
};

/** The cookie that holds the first step of a sign-in until the second. */
const secondStepCookie = ({ config }: Pick<CommandDeps, 'config'>) => {
  const secure = config.baseUrl.startsWith('https:');
  return {
    name: `${secure ? '__Host-' : ''}reprise-second-step`,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  } as const;
};

/**
 * Signs in whose password or Google identity was right. An account with a second factor is asked for its code first.
 * @param joins the Google identity to join to the account. Nothing of the account changes before its code was given
 * @throws Refusal SECOND_FACTOR, and what `openSession` throws
 */
export const finishFirstStep = async (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CommandDeps,
  found: FoundAccount,
  acting: ActingLane,
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

/** The user of a new session, and whether their role's rights wait for a second factor. */
const signedInUser = ({ config }: Pick<CommandDeps, 'config'>, state: AccountState, principal: SignedIn) => {
  const withheld = withRights(principal, config.secondFactorRequired).withheldRole !== undefined;
  return { ...toUser(state), ...(withheld && { needsSecondFactor: true }) };
};

/** Does what signs somebody in, and logs how it ended. @param email undefined until the account is known */
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

/**
 * The account of an address and a password. Attempts are counted before the password is checked, so that parallel attempts are counted
 * too; those that succeed are uncounted.
 * @throws Refusal NO_ACCOUNT, BAD_CREDENTIALS, ACCOUNT_INACTIVE, TOO_MANY
 */
const authenticate = async (
  request: Asked<typeof authCalls.login>,
  deps: CommandDeps,
  acting: ActingLane,
): Promise<FoundAccount> => {
  const { credentials } = deps;
  const { email, password } = request.body;
  await countAttempt(deps, 'sign-in', request, email);
  const found = await accountByAddress(deps, email, acting);
  const refusal = found ? signInRefusal(found.state) : 'NO_ACCOUNT';
  const right = await credentials.verifyPassword(
    refusal === 'NO_ACCOUNT' ? undefined : found?.accountId,
    password,
  );
  if (!found || refusal === 'NO_ACCOUNT') throw new Refusal('NO_ACCOUNT');
  if (!right) throw new Refusal('BAD_CREDENTIALS');
  await uncountSignIn(deps, request, email);
  if (!maySignIn(found)) throw new Refusal(refusal ?? 'NO_ACCOUNT');
  return found;
};

/** Signing in, registering, signing out, and the CSRF token that they need. */
export const signInRoutes = (app: App, deps: CommandDeps): void => {
  const { sessions, limits } = deps;
  const change = changesOn(app, deps);

  route(app, authCalls.csrfToken, async (request, reply) => {
    const { siteCookies } = app;
    const known = siteCookies.csrfToken(request);
    const good = known !== undefined && belongsTo(known, request.sessionToken);
    return { csrfToken: good ? known : siteCookies.giveCsrf(reply, request.sessionToken) };
  });

  route(app, authCalls.loginPage, (_request, reply) => reply.redirect('/auth'));

  change(authCalls.login, async (request, { acting, reply }) => {
    const { email } = request.body;
    return telling(deps, request, { way: 'password', email }, async () => {
      const found = await authenticate(request, deps, acting);
      const principal = await finishFirstStep(request, reply, deps, found, acting);
      return { user: signedInUser(deps, found.state, principal) };
    });
  });

  change(authCalls.secondFactor, async (request, { acting, reply }) => {
    const { name, options } = secondStepCookie(deps);
    const step = deps.secondSteps.read(request.cookies[name]);
    if (!step) throw new Refusal('SECOND_STEP_EXPIRED');
    const { accountId, joins } = step;
    const { state } = await acting.state(account, accountId);
    return telling(deps, request, { way: 'code', email: orElse(state.email, '') }, async () => {
      if (state.passwordChanges !== step.passwordChanges) throw new Refusal('SECOND_STEP_EXPIRED');
      const refusal = signInRefusal(state);
      if (refusal) throw new Refusal(refusal);
      await demandSecondFactor(deps, accountId, request.body.code);
      const found = joins ? await joinGoogle(deps, joins, accountId, acting) : { accountId, state };
      const principal = await openSession(request, reply, deps, found, true);
      reply.clearCookie(name, options);
      return { user: signedInUser(deps, found.state, principal) };
    });
  });

  change(authCalls.register, async (request, { acting, reply }) => {
    const { email, password, firstName, lastName } = request.body;
    await countAddress(limits, 'registration', request.ip);
    const registered = await registerAccount(
      deps,
      {
        email,
        password,
        firstName,
        lastName: lastName || null,
        profileImageUrl: null,
        role: 'user',
        verified: false,
        via: 'password',
      },
      acting,
    );
    await sendVerification(deps, registered.accountId);
    await openSession(request, reply, deps, registered);
    return {
      user: toUser(registered.state),
      requiresEmailVerification: true,
      message: 'Please check your email to verify your account.',
    };
  });

  route(app, authCalls.logout, async (request, reply) => {
    if (request.sessionToken !== null) await sessions.close(request.sessionToken);
    app.siteCookies.endSession(reply);
    return { message: 'You are signed out.' };
  });
};
