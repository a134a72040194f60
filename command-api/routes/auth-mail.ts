/** What is done by a link in a mail: verifying an address, setting a new password. */
import { accountByAddress, maySignIn } from '#command-api/accounts/lookup.ts';
import { sendReset, sendVerification } from '#command-api/accounts/mail-links.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { account } from '#domain/account/account.ts';
import { passwordProblems } from '#domain/account/password.ts';
import {
  emptyRequest,
  forgotPasswordRequest,
  type ResetTokenValid,
  resetPasswordRequest,
  tokenRequest,
} from '#domain/contracts/auth.ts';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { isErased } from '#domain/personal.ts';
import { Refusal } from '#domain/refusal.ts';
import { contextOf } from '#infra/http/context.ts';
import { countedAddress } from '#infra/http/counted-address.ts';
import { demandSignedIn } from '#infra/http/principal.ts';
import type { App } from '#infra/http/server.ts';

const config = { capability: 'authenticate' } as const;
const RESET_INVALID = { message: 'This password reset link is invalid or has expired.' };

/** What the links in mails lead to: verifying an address, and setting a new password. */
export const mailLinkRoutes = (app: App, deps: CommandDeps): void => {
  const { lane, limits, mailTokens, sessions, credentials } = deps;

  app.post('/api/auth/verify-email', { config, schema: { body: tokenRequest } }, async (request, reply) => {
    await limits.take('mail-token', countedAddress(request.ip));
    const { token } = request.body;
    const accountId = await mailTokens.check('verify', token);
    if (accountId === undefined) throw new Refusal('TOKEN_INVALID');
    const acting = lane.as(contextOf(request, deps.clock));
    const verified = await acting.do(account, accountId, { type: 'VerifyEmail' });
    await sessions.update(accountId, { emailVerified: true });
    // Used up only now: whoever was turned away in between may try again.
    await mailTokens.remove(accountId, 'verify');
    reply.position(verified.position);
    return { message: 'Your email address is verified.' };
  });

  app.post(
    '/api/auth/resend-verification',
    { config: { capability: 'use-account' }, schema: { body: emptyRequest } },
    async (request) => {
      const { accountId } = demandSignedIn(request.principal);
      const { state } = await lane.state(account, accountId);
      if (state.verified) {
        await sessions.update(accountId, { emailVerified: true });
        throw new Refusal('ALREADY_VERIFIED');
      }
      await limits.take('verification', accountId);
      await sendVerification(deps, accountId);
      return { message: 'Verification email sent. Please check your inbox.' };
    },
  );

  app.post(
    '/api/auth/forgot-password',
    { config, schema: { body: forgotPasswordRequest } },
    async (request) => {
      const { email } = request.body;
      await limits.take('reset-address', countedAddress(request.ip));
      await limits.take('reset', addressKey(email));
      const found = await accountByAddress(deps, email, lane.as(contextOf(request, deps.clock)));
      if (maySignIn(found)) await sendReset(deps, found.accountId);
      return { message: 'If an account with that email exists, a password reset link has been sent.' };
    },
  );

  app.post(
    '/api/auth/verify-reset-token',
    { config, schema: { body: tokenRequest } },
    async (request): Promise<ResetTokenValid> => {
      await limits.take('mail-token', countedAddress(request.ip));
      if ((await mailTokens.check('reset', request.body.token)) === undefined) {
        throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
      }
      return { valid: true, message: 'Please choose a new password.' };
    },
  );

  app.post(
    '/api/auth/reset-password',
    { config, schema: { body: resetPasswordRequest } },
    async (request, reply) => {
      const { token, password } = request.body;
      await limits.take('mail-token', countedAddress(request.ip));
      if ((await mailTokens.check('reset', token)) === undefined) {
        throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
      }
      const errors = passwordProblems(password);
      if (errors.length > 0) throw new Refusal('WEAK_PASSWORD', { errors });
      const accountId = await mailTokens.take('reset', token);
      if (accountId === undefined) throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
      await mailTokens.remove(accountId, 'reset');

      await credentials.setPassword(accountId, password);
      const changed = await lane
        .as(contextOf(request, deps.clock))
        .do(account, accountId, { type: 'RecordPasswordChange' })
        // Whatever becomes of the record; and after it, since a sign-in under way looks for it.
        .finally(() => sessions.closeAll(accountId));
      if (!isErased(changed.state.email)) {
        await limits.forgive('sign-in-account', addressKey(changed.state.email));
      }
      app.siteCookies.endSession(reply);
      reply.position(changed.position);
      return { message: 'Your password has been changed. Please sign in with it.' };
    },
  );
};
