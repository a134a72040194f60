import { toString as drawQr } from 'qrcode';
import { confirmOwner, wrongPassword } from '#command-api/accounts/confirm-owner.ts';
import { demandGoodPassword } from '#command-api/accounts/new-password.ts';
import { demandCode, demandSecondFactor, forgiveWrongCodes } from '#command-api/accounts/second-factor.ts';
import { siteSettingsOf } from '#command-api/catalogue/settings.ts';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { passwordProblems } from '#domain/account/password.ts';
import type { BodyOf } from '#domain/contracts/call.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { SignedIn } from '#infra/http/principal.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { base32, enrolmentUri } from '#infra/identity/totp.ts';
import { openSession } from './open-session.ts';

export const securityRoutes = (app: App, deps: CommandDeps): void => {
  const { credentials, handler, mailTokens, secondFactors, sessions } = deps;
  const change = changesOn(app, deps);

  change(securityCalls.changePassword, async (request, { acting, reply }) => {
    const { principal, body } = request;
    const { accountId } = principal;
    const { state: before } = await acting.state(account, accountId);
    if (!(await credentials.waysOf(accountId)).includes('password')) throw new Refusal('NO_PASSWORD');
    await confirmOwner(deps, principal, body.currentPassword, 'currentPassword');
    demandGoodPassword(body.password, passwordProblems(body.password));
    await mailTokens.remove(accountId, 'reset');
    // A concurrent change with the same password won.
    if (!(await credentials.replacePassword(accountId, body.currentPassword, body.password)))
      throw wrongPassword('currentPassword');
    const { state } = await acting
      .do(account, accountId, { type: 'RecordPasswordChange' })
      // Runs even if recording fails, but after it: a concurrent sign-in checks the record.
      .finally(() => sessions.closeAll(accountId));
    await forgiveWrongCodes(deps, accountId);
    // The state may include concurrent changes, such as a reset by link: those end this session as well.
    const own = { ...state, passwordChanges: before.passwordChanges + 1 };
    await openSession(request, reply, deps, { accountId, state: own }, principal.secondFactor);
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

  route(app, securityCalls.beginSecondFactor, async ({ principal, body }) => {
    const { accountId } = principal;
    await confirmOwner(deps, principal, body.password);
    const { state } = await handler.state(account, accountId);
    if (state.secondFactor) throw new Refusal('SECOND_FACTOR_ON');
    const secret = await secondFactors.begin(accountId);
    const { siteName } = await siteSettingsOf(handler);
    const uri = enrolmentUri(secret, { site: siteName, account: orElse(state.email, '') });
    const svg = await drawQr(uri, { type: 'svg', margin: 4 });
    return {
      secret: base32(secret),
      uri,
      qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    };
  });

  change(securityCalls.confirmSecondFactor, async ({ principal, body }, { acting }) => {
    const { accountId, sessionId } = principal;
    const { state } = await acting.state(account, accountId);
    if (state.secondFactor) throw new Refusal('SECOND_FACTOR_ON');
    await demandCode(deps, accountId, () => secondFactors.confirm(accountId, body.code));
    const recoveryCodes = await secondFactors.renewRecoveryCodes(accountId);
    await acting.do(account, accountId, { type: 'EnrolSecondFactor' });
    // After the record, which a concurrent sign-in checks once its session is stored.
    await sessions.closeOthers(accountId, sessionId);
    await sessions.update(accountId, { secondFactor: true });
    return { recoveryCodes };
  });

  const confirmWithCode = async (
    principal: SignedIn,
    { password, code }: BodyOf<typeof securityCalls.removeSecondFactor>,
    acting: ActingHandler,
  ): Promise<void> => {
    const { accountId } = principal;
    const { state } = await acting.state(account, accountId);
    if (!state.secondFactor) throw new Refusal('SECOND_FACTOR_OFF');
    await confirmOwner(deps, principal, password);
    await demandSecondFactor(deps, accountId, code);
  };

  change(securityCalls.removeSecondFactor, async ({ principal, body }, { acting }) => {
    const { accountId } = principal;
    await confirmWithCode(principal, body, acting);
    await acting.do(account, accountId, { type: 'RemoveSecondFactor' });
    await secondFactors.remove(accountId);
    await sessions.update(accountId, { secondFactor: false });
    return { message: 'Signing in takes no code any more.' };
  });

  change(securityCalls.renewRecoveryCodes, async ({ principal, body }, { acting }) => {
    const { accountId } = principal;
    await confirmWithCode(principal, body, acting);
    const recoveryCodes = await secondFactors.renewRecoveryCodes(accountId);
    await acting.do(account, accountId, { type: 'RenewRecoveryCodes' });
    return { recoveryCodes };
  });

  change(securityCalls.resetSecondFactor, async ({ principal, params: { id } }, { acting }) => {
    await acting.do(account, id, { type: 'ResetSecondFactor', by: principal.accountId });
    await secondFactors.remove(id);
    await sessions.closeAll(id);
    return { message: 'Their second step is off, and they are signed out everywhere.' };
  });
};
