import { administerAccount } from '#command-api/accounts/administration.ts';
import { eraseAccount } from '#command-api/accounts/erasure.ts';
import type { AccountEnding, CommandDeps } from '#command-api/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { adminUserCalls } from '#domain/contracts/admin-users.ts';
import type { App } from '#infra/http/server.ts';

/** Changes to accounts by superusers. */
export const adminUserRoutes = (app: App, deps: CommandDeps & { readonly ending: AccountEnding }): void => {
  const change = changesOn(app, deps);

  change(adminUserCalls.edit, async ({ params: { id }, body, principal }, { acting }) => {
    const { role, isActive } = body;
    const by = principal.accountId;
    if (role !== undefined) await administerAccount(deps, id, { type: 'ChangeRole', role, by }, acting);
    if (isActive !== undefined)
      await administerAccount(deps, id, { type: isActive ? 'Activate' : 'Deactivate', by }, acting);
    return { message: 'User updated' };
  });

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
    await administerAccount(deps, id, { type: 'Restore' }, acting);
    return { message: 'User restored' };
  });

  change(adminUserCalls.hardDelete, async ({ params: { id }, principal }, { acting }) => {
    const done = await eraseAccount(deps, id, principal.accountId, acting);
    const message = done ? 'User permanently deleted' : 'The account is deleted once its last mails are sent';
    return { message, pending: !done };
  });
};
