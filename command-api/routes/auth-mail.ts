import { setTimeout as pause } from 'node:timers/promises';
import { confirmOwner } from '#command-api/accounts/confirm-owner.ts';
import { forgetIfErased } from '#command-api/accounts/erasure.ts';
import { accountByAddress, maySignIn } from '#command-api/accounts/lookup.ts';
import { sendReset, sendVerification } from '#command-api/accounts/mail-links.ts';
import { demandGoodPassword } from '#command-api/accounts/new-password.ts';
import { forgiveWrongCodes } from '#command-api/accounts/second-factor.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { passwordProblems } from '#domain/account/password.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { countAddress } from '#infra/http/counted-address.ts';
import { contextOf } from '#infra/http/principal.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { countAttempt, forgiveAccount, rememberDevice } from './attempts.ts';

/** Milliseconds: longer than the work done only for existing accounts, so timing reveals nothing. */
const FORGOT_TAKES = 300;

const NEVER = new Date(0);

const RESET_INVALID = { message: 'This password reset link is invalid or has expired.' };

export const mailLinkRoutes = (app: App, deps: CommandDeps): void => {
  const { handler, limits, mailTokens, sessions, credentials, secondFactors } = deps;
  const change = changesOn(app, deps);

  // The link alone is not enough: the owner would verify an account that a stranger registered with their
  // address.
  change(authCalls.verifyEmail, async (request, { acting, reply }) => {
    const { token, password } = request.body;
    await countAddress(limits, 'mail-token', request.ip);
    const accountId = await mailTokens.check('verify', token);
    if (accountId === undefined) throw new Refusal('TOKEN_INVALID');
    if (request.principal.accountId !== accountId)
      await confirmOwner(deps, { accountId, signedInAt: NEVER }, password);
    const { state } = await acting.do(account, accountId, { type: 'VerifyEmail' });
    if (!isErased(state.email)) rememberDevice(request, reply, deps, state.email);
    await sessions.update(accountId, { emailVerified: true });
    // Last, so that a caller whose request failed may try again.
    await mailTokens.remove(accountId, 'verify');
    return { message: 'Your email address is verified.' };
  });

  route(app, authCalls.resendVerification, async ({ principal: { accountId } }) => {
    const { state } = await handler.state(account, accountId);
    if (state.verified) {
      await sessions.update(accountId, { emailVerified: true });
      throw new Refusal('ALREADY_VERIFIED');
    }
    await limits.take('verification', accountId);
    await sendVerification(deps, accountId);
    return { message: 'Verification email sent. Please check your inbox.' };
  });

  // Not a `change`: a position in the answer would reveal whether an account exists.
  route(app, authCalls.forgotPassword, async (request) => {
    const { email } = request.body;
    await countAttempt(deps, 'reset', request, email);
    const answered = pause(FORGOT_TAKES);
    const found = await accountByAddress(deps, email, handler.as(contextOf(request, deps.clock)));
    if (maySignIn(found)) await sendReset(deps, found.accountId);
    await answered;
    return { message: 'If an account with that email exists, a password reset link has been sent.' };
  });

  route(app, authCalls.verifyResetToken, async ({ ip, body: { token } }) => {
    await countAddress(limits, 'mail-token', ip);
    if ((await mailTokens.check('reset', token)) === undefined) {
      throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
    }
    return { valid: true as const, message: 'Please choose a new password.' };
  });

  change(authCalls.resetPassword, async (request, { acting, reply }) => {
    const { token, password } = request.body;
    await countAddress(limits, 'mail-token', request.ip);
    if ((await mailTokens.check('reset', token)) === undefined) {
      throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
    }
    demandGoodPassword(password, passwordProblems(password));
    const accountId = await mailTokens.take('reset', token);
    if (accountId === undefined) throw new Refusal('TOKEN_INVALID', {}, RESET_INVALID);
    await mailTokens.remove(accountId);

    await credentials.setPassword(accountId, password);
    await forgetIfErased(deps, accountId, acting);
    const { state: before } = await acting
      .do(account, accountId, { type: 'RecordPasswordChange' })
      // Runs even if recording fails, but after it: a concurrent sign-in checks the record.
      .finally(() => sessions.closeAll(accountId));
    await forgiveWrongCodes(deps, accountId);
    // A stranger who registered the address may have set up the second factor: it would lock the owner out.
    if (!before.verified && before.secondFactor) {
      await acting.do(account, accountId, { type: 'RemoveSecondFactor' });
      await secondFactors.remove(accountId);
    }
    // The link proves ownership, and any earlier registrant has no session, password or second factor left.
    const { state } = await acting.do(account, accountId, { type: 'VerifyEmail' });
    if (!isErased(state.email)) {
      await forgiveAccount(deps, request, state.email);
      rememberDevice(request, reply, deps, state.email);
    }
    app.siteCookies.endSession(reply);
    return { message: 'Your password has been changed. Please sign in with it.' };
  });
};
