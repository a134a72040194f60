import { joinGoogle } from '#command-api/accounts/join-google.ts';
import { accountByAddress, type FoundAccount, maySignIn } from '#command-api/accounts/lookup.ts';
import { sendVerification } from '#command-api/accounts/mail-links.ts';
import { registerAccount } from '#command-api/accounts/registration.ts';
import { demandSecondFactor } from '#command-api/accounts/second-factor.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { type AccountState, signInRefusal } from '#domain/account/state.ts';
import { toUser } from '#domain/answers/accounts.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { countAddress } from '#infra/http/counted-address.ts';
import { belongsTo } from '#infra/http/csrf.ts';
import { type SignedIn, withRights } from '#infra/http/principal.ts';
import { type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { countAttempt, uncountSignIn } from './attempts.ts';
import { finishFirstStep, openSession, secondStepCookie, telling } from './open-session.ts';

const signedInUser = ({ config }: Pick<CommandDeps, 'config'>, state: AccountState, principal: SignedIn) => {
  const withheld = withRights(principal, config.secondFactorRequired).withheldRole !== undefined;
  return { ...toUser(state), ...(withheld && { needsSecondFactor: true }) };
};

/**
 * Counts before the password check, so that parallel attempts count too.
 * @throws Refusal NO_ACCOUNT, BAD_CREDENTIALS, ACCOUNT_INACTIVE, TOO_MANY
 */
const authenticate = async (
  request: Asked<typeof authCalls.login>,
  deps: CommandDeps,
  acting: ActingHandler,
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
