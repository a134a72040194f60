/** Browsers navigate here, so every failure redirects to the sign-in page. */
import type { FastifyReply } from 'fastify';
import { accountByAddress, type FoundAccount } from '#command-api/accounts/lookup.ts';
import { registerAccount } from '#command-api/accounts/registration.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { contextOf } from '#infra/http/principal.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { FederatedIdentity } from '#infra/identity/credentials.ts';
import { GOOGLE_FLOW_LIFE, GoogleFlowFailed, type GooglePerson } from '#infra/identity/google.ts';
import { finishFirstStep, telling } from './open-session.ts';

export type GoogleProblem =
  | 'google-not-configured'
  | 'google-unavailable'
  | 'google-failed'
  | 'google-no-address'
  | 'google-unverified-account'
  | 'google-existing-account'
  | 'account-inactive'
  | 'account-deleted';

/** Pages of this site, not the API. */
const PAGE = /^\/(?!api\/|\/)[\w\-/?=&%.]*$/;

const back = (reply: FastifyReply, problem: GoogleProblem): FastifyReply =>
  reply.redirect(`/auth?error=${problem}`);

/** `joins` only if Google itself runs the mailbox. */
const accountOf = async (
  deps: CommandDeps,
  person: GooglePerson,
  acting: ActingHandler,
): Promise<(FoundAccount & { readonly joins?: FederatedIdentity }) | GoogleProblem> => {
  const { credentials, handler, ids } = deps;
  const known = await credentials.accountOf(person);
  if (known !== undefined) {
    const { state } = await handler.state(account, known);
    // An interrupted registration has linked the identity: repeat it below under the same id.
    if (state.accountId !== null) return { accountId: known, state };
  }
  if (!person.email || !person.emailVerified) return 'google-no-address';
  const holder = await accountByAddress(deps, person.email, acting);
  if (holder && !holder.state.verified) return 'google-unverified-account';
  if (holder && !person.ownsMailbox) return 'google-existing-account';
  if (holder) {
    // It can't be repeated: the address has another account by now.
    if (known !== undefined && known !== holder.accountId) await credentials.remove(known);
    return { ...holder, joins: person };
  }
  const accountId = await credentials.link(person, known ?? ids.uuid());
  return registerAccount(
    deps,
    {
      accountId,
      email: person.email,
      firstName: person.firstName ?? person.email.split('@', 1)[0] ?? 'Guest',
      lastName: person.lastName ?? null,
      profileImageUrl: person.picture ?? null,
      role: 'user',
      verified: true,
      via: 'google',
      password: null,
    },
    acting,
  );
};

export const googleRoutes = (app: App, deps: CommandDeps): void => {
  const { google, config: site } = deps;
  const https = site.baseUrl.startsWith('https:');
  const cookieName = https ? '__Host-reprise-google' : 'reprise-google';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const;

  route(app, authCalls.google, async (request, reply) => {
    if (!google) return back(reply, 'google-not-configured');
    const { returnTo } = request.query;
    try {
      const started = await google.begin(returnTo && PAGE.test(returnTo) ? returnTo : undefined);
      reply.setCookie(cookieName, started.flow, { ...cookie, maxAge: GOOGLE_FLOW_LIFE });
      return reply.redirect(started.url);
    } catch (error) {
      request.log.warn({ err: error }, 'the identity provider is not answering');
      return back(reply, 'google-unavailable');
    }
  });

  route(app, authCalls.googleCallback, async (request, reply) => {
    if (!google) return back(reply, 'google-not-configured');
    reply.clearCookie(cookieName, cookie);
    try {
      const url = new URL(request.url, site.baseUrl);
      const { person, returnTo } = await google.finish(url, request.cookies[cookieName]);
      const acting = deps.handler.as(contextOf(request, deps.clock));
      const found = await accountOf(deps, person, acting);
      if (typeof found === 'string') return back(reply, found);
      const refusal = signInRefusal(found.state);
      if (refusal)
        return back(reply, refusal === 'ACCOUNT_INACTIVE' ? 'account-inactive' : 'account-deleted');
      const email = orElse(found.state.email, '');
      await telling(deps, request, { way: 'google', email }, () =>
        finishFirstStep(request, reply, deps, found, acting, found.joins),
      );
      reply.position(acting.position);
      return reply.redirect(returnTo ?? '/');
    } catch (error) {
      if (error instanceof Refusal && error.code === 'SECOND_FACTOR')
        return reply.redirect('/auth?step=code');
      if (!(error instanceof GoogleFlowFailed) && !(error instanceof Refusal)) throw error;
      request.log.info({ err: error }, 'a sign-in with Google was not finished');
      return back(reply, 'google-failed');
    }
  });
};
