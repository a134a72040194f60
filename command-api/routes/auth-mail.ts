import { setTimeout as pause } from 'node:timers/promises';
import { accountByAddress, maySignIn } from '#command-api/accounts/lookup.ts';
import { sendReset, sendVerification } from '#command-api/accounts/mail-links.ts';
import { demandGoodPassword } from '#command-api/accounts/new-password.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { passwordProblems } from '#domain/account/password.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { isErased } from '#domain/personal.ts';
import { Refusal } from '#domain/refusal.ts';
import { contextOf } from '#infra/http/context.ts';
import { countedAddress } from '#infra/http/counted-address.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';

/** How long the answer to a forgotten password takes, in milliseconds: longer than what is done only where there is an account. */
const FORGOT_TAKES = 300;

const RESET_INVALID = { message: 'This password reset link is invalid or has expired.' };

/** What the links in mails lead to: verifying an address, and setting a new password. */
export const mailLinkRoutes = (app: App, deps: CommandDeps): void => {
  const { lane, limits, mailTokens, sessions, credentials } = deps;
  const change = changesOn(app, deps);

  change(authCalls.verifyEmail, async ({ ip, body: { token } }, { acting }) => {
    await limits.take('mail-token', countedAddress(ip));
    const accountId = await mailTokens.check('verify', token);
    if (accountId === undefined) throw new Refusal('TOKEN_INVALID');
    await acting.do(account, accountId, { type: 'VerifyEmail' });
    await sessions.update(accountId, { emailVerified: true });
    // The token is used up last, so that a caller whose request failed before may try again.
    await mailTokens.remove(accountId, 'verify');
    return { message: 'Your email address is verified.' };
  });

  route(app, authCalls.resendVerification, async ({ principal: { accountId } }) => {
    const { state } = await lane.state(account, accountId);
    if (state.verified) {
      await sessions.update(accountId, { emailVerified: true });
      throw new Refusal('ALREADY_VERIFIED');
    }
    await limits.take('verification', accountId);
    await sendVerification(deps, accountId);
    return { message: 'Verification email sent. Please check your inbox.' };
  });

  // Not a change: its answer would have the position of the account's stream, and so tell whether there is an account.
  route(app, authCalls.forgotPassword, async (request) => {
    const { email } = request.body;
    await limits.take('reset-address', countedAddress(request.ip));
    await limits.take('reset', addressKey(email));
    const answered = pause(FORGOT_TAKES);
    const found = await accountByAddress(deps, email, lane.as(contextOf(request, deps.clock)));
    if (maySignIn(found)) await sendReset(deps, found.accountId);
    await answered;
    return { message: 'If an account with that email exists, a password reset link has been sent.' };
  });

  route(app, authCalls.verifyResetToken, async ({ ip, body: { token } }) => {
    await limits.take('mail-token', countedAddress(ip));
    if ((await mailTokens.check('reset', token)) === undefined) {
      throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
    }
    return { valid: true as const, message: 'Please choose a new password.' };
  });

  change(authCalls.resetPassword, async ({ ip, body: { token, password } }, { acting, reply }) => {
    await limits.take('mail-token', countedAddress(ip));
    if ((await mailTokens.check('reset', token)) === undefined) {
      throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
    }
    demandGoodPassword(password, passwordProblems(password));
    const accountId = await mailTokens.take('reset', token);
    if (accountId === undefined) throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
    await mailTokens.remove(accountId, 'reset');

    await credentials.setPassword(accountId, password);
    const changed = await acting
      .do(account, accountId, { type: 'RecordPasswordChange' })
      // Also if recording fails. It comes after it, since a sign-in that is running checks for the record.
      .finally(() => sessions.closeAll(accountId));
    if (!isErased(changed.state.email)) {
      await limits.forgive('sign-in-account', addressKey(changed.state.email));
    }
    app.siteCookies.endSession(reply);
    return { message: 'Your password has been changed. Please sign in with it.' };
  });
};
