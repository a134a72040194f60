import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  accountByAddress,
  type FoundAccount,
  maySignIn,
  sessionFacts,
} from '#command-api/accounts/lookup.ts';
import { sendVerification } from '#command-api/accounts/mail-links.ts';
import { registerAccount } from '#command-api/accounts/registration.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { toUser } from '#domain/account/answer.ts';
import { signInRefusal } from '#domain/account/state.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { Refusal } from '#domain/refusal.ts';
import { countedAddress } from '#infra/http/counted-address.ts';
import { belongsTo } from '#infra/http/csrf.ts';
import { deviceOf } from '#infra/http/device.ts';
import { type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';

const FACTS = ['role', 'verified', 'completed'] as const;

/**
 * Opens a session and sets its cookies. The browser's old session ends: no token survives a sign-in. A change of the account that
 * ends or updates its sessions may have missed this one, so that the account is read again once the session is stored.
 * @throws Refusal NO_ACCOUNT, ACCOUNT_INACTIVE, or BAD_CREDENTIALS when the password is another by now
 */
export const openSession = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions, lane }: Pick<CommandDeps, 'sessions' | 'lane'>,
  found: FoundAccount,
): Promise<void> => {
  const { accountId, state: before } = found;
  if (request.sessionToken !== null) await sessions.close(request.sessionToken);
  const opened = await sessions.open(sessionFacts(found), deviceOf(request.headers['user-agent']));
  const { state } = await lane.state(account, accountId);
  const samePassword = state.passwordChanges === before.passwordChanges;
  const refusal = signInRefusal(state) ?? (samePassword ? undefined : 'BAD_CREDENTIALS');
  if (refusal !== undefined) {
    await sessions.close(opened.token);
    throw new Refusal(refusal);
  }
  if (FACTS.some((fact) => state[fact] !== before[fact]))
    await sessions.update(accountId, sessionFacts({ accountId, state }));
  request.server.siteCookies.startSession(reply, opened);
};

/**
 * The account of an address and a password. Attempts are counted, by account and by the caller's address, before the password is
 * checked, so that parallel attempts are counted too; those that succeed are uncounted.
 * @throws Refusal NO_ACCOUNT, BAD_CREDENTIALS, ACCOUNT_INACTIVE, TOO_MANY
 */
const authenticate = async (
  { ip, body: { email, password } }: Asked<typeof authCalls.login>,
  deps: CommandDeps,
  acting: ActingLane,
): Promise<FoundAccount> => {
  const { limits, credentials } = deps;
  await limits.take('sign-in-address', countedAddress(ip));
  await limits.take('sign-in-account', addressKey(email));
  const found = await accountByAddress(deps, email, acting);
  const refusal = found ? signInRefusal(found.state) : 'NO_ACCOUNT';
  const right = await credentials.verifyPassword(
    refusal === 'NO_ACCOUNT' ? undefined : found?.accountId,
    password,
  );
  if (!found || refusal === 'NO_ACCOUNT') throw new Refusal('NO_ACCOUNT');
  if (!right) throw new Refusal('BAD_CREDENTIALS');
  await limits.forgive('sign-in-account', addressKey(email));
  await limits.giveBack('sign-in-address', countedAddress(ip));
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
    const found = await authenticate(request, deps, acting);
    await openSession(request, reply, deps, found);
    return { user: toUser(found.state) };
  });

  change(authCalls.register, async (request, { acting, reply }) => {
    const { email, password, firstName, lastName } = request.body;
    await limits.take('registration', countedAddress(request.ip));
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
