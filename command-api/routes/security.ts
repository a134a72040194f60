import { confirmOwner } from '#command-api/accounts/confirm-owner.ts';
import { demandGoodPassword } from '#command-api/accounts/new-password.ts';
import type { CommandDeps } from '#command-api/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { passwordProblems } from '#domain/account/password.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { Refusal } from '#domain/refusal.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { openSession } from './auth-sign-in.ts';

/** Changing the password, and ending sessions. */
export const securityRoutes = (app: App, deps: CommandDeps): void => {
  const { credentials, mailTokens, sessions } = deps;
  const change = changesOn(app, deps);

  change(securityCalls.changePassword, async (request, { acting, reply }) => {
    const { principal, body } = request;
    const { accountId } = principal;
    if (!(await credentials.waysOf(accountId)).includes('password')) throw new Refusal('NO_PASSWORD');
    await confirmOwner(deps, principal, body.currentPassword, 'currentPassword');
    demandGoodPassword(body.password, passwordProblems(body.password));
    await mailTokens.remove(accountId, 'reset');
    await credentials.setPassword(accountId, body.password);
    const { state } = await acting
      .do(account, accountId, { type: 'RecordPasswordChange' })
      // Also if recording fails. It comes after it, since a sign-in that is running checks for the record.
      .finally(() => sessions.closeAll(accountId));
    await openSession(request, reply, deps, { accountId, state });
    return { message: 'Your password has been changed. You are signed out everywhere else.' };
  });

  route(app, securityCalls.endSession, async ({ principal: { accountId }, params }) => {
    if (!(await sessions.endOne(accountId, params.id))) throw new Refusal('NOT_FOUND');
    return { message: 'Signed out there.' };
  });

  route(app, securityCalls.endOtherSessions, async ({ principal: { accountId, sessionId } }) => {
    await sessions.closeOthers(accountId, sessionId);
    return { message: 'You are signed out everywhere else.' };
  });
};
