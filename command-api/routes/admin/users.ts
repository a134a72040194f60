import { type AdministrativeCommand, administerAccount } from '#command-api/accounts/administration.ts';
import { eraseAccount, restoreAccount } from '#command-api/accounts/erasure.ts';
import type { AccountEnding, CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn, editsOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { shownOf } from '#domain/account/state.ts';
import { adminUserCalls } from '#domain/contracts/admin-users.ts';
import { revisionOf } from '#domain/kernel/revision.ts';
import type { App } from '#infra/http/server.ts';

export const adminUserRoutes = (app: App, deps: CommandDeps & { readonly ending: AccountEnding }): void => {
  const change = changesOn(app, deps);

  editsOn(app, deps)(
    adminUserCalls.edit,
    async ({ params: { id }, body: { role, isActive }, principal: { accountId: by } }, acting) => {
      const commands: AdministrativeCommand[] = [];
      if (role !== undefined) commands.push({ type: 'ChangeRole', role, by });
      if (isActive !== undefined) commands.push({ type: isActive ? 'Activate' : 'Deactivate', by });
      for (const command of commands) await acting.preview(account, id, command);
      for (const command of commands) await administerAccount(deps, id, command, acting);
    },
    async ({ params: { id } }, acting) => {
      const { state } = await acting.state(account, id);
      const { role, active } = state;
      return { message: 'User updated', role, isActive: active, revision: revisionOf(shownOf(state)) };
    },
  );

  change(adminUserCalls.softDelete, async ({ params: { id }, body, principal }, { acting }) => {
    const command = { type: 'SoftDelete', reason: body?.reason ?? '', by: principal.accountId } as const;
    await administerAccount(deps, id, command, acting);
    return { message: 'User deleted' };
  });

  change(adminUserCalls.remove, async ({ params: { id }, principal }, { acting }) => {
    const command = { type: 'SoftDelete', reason: '', by: principal.accountId } as const;
    await administerAccount(deps, id, command, acting);
    return { message: 'User deleted' };
  });

  change(adminUserCalls.restore, async ({ params: { id } }, { acting }) => {
    await restoreAccount(deps, id, acting);
    return { message: 'User restored' };
  });

  change(adminUserCalls.hardDelete, async ({ params: { id }, principal }, { acting }) => {
    const done = await eraseAccount(deps, id, principal.accountId, acting);
    const message = done ? 'User permanently deleted' : 'The account is deleted once its last mails are sent';
    return { message, pending: !done };
  });
};
