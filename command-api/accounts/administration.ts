import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { type AccountCommand, account } from '#domain/account/account.ts';
import { type AccountState, signInRefusal } from '#domain/account/state.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';

export type AdministrativeCommand = Extract<
  AccountCommand,
  { type: 'ChangeRole' | 'Activate' | 'Deactivate' | 'SoftDelete' | 'Restore' }
>;

const isSuperuser = (state: AccountState): boolean =>
  state.role === 'superuser' && signInRefusal(state) === undefined;

/**
 * Leaves the superusers before a demotion and joins them after a promotion, so that one always remains.
 * Repeatable.
 * @throws Refusal NOT_FOUND, ERASED, ACCOUNT_DELETED, NOT_YOURSELF, LAST_SUPERUSER
 */
export const administerAccount = async (
  { sessions }: Pick<CommandDeps, 'sessions'>,
  accountId: string,
  command: AdministrativeCommand,
  acting: ActingHandler,
): Promise<void> => {
  const expected = await acting.preview(account, accountId, command);
  const listed = (stays: boolean) =>
    acting.do(superusers, SUPERUSERS, { type: stays ? 'Join' : 'Leave', accountId });
  if (!isSuperuser(expected)) await listed(false);
  const done = await acting.do(account, accountId, command);
  // A concurrent change may have come first: repeat until all match the latest state.
  for (let told = done.state; ; ) {
    await listed(isSuperuser(told));
    if (signInRefusal(told)) await sessions.closeAll(accountId);
    else await sessions.update(accountId, { role: told.role });
    const { state } = await acting.state(account, accountId);
    if (state.role === told.role && signInRefusal(state) === signInRefusal(told)) return;
    told = state;
  }
};
