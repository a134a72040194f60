/** What superusers do with accounts. */
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { type AccountCommand, account } from '#domain/account/account.ts';
import { type AccountState, signInRefusal } from '#domain/account/state.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';

/** The commands of an account that only superusers give. */
export type AdministrativeCommand = Extract<
  AccountCommand,
  { type: 'ChangeRole' | 'Activate' | 'Deactivate' | 'SoftDelete' | 'Restore' }
>;

const isSuperuser = (state: AccountState): boolean =>
  state.role === 'superuser' && signInRefusal(state) === undefined;

/**
 * Changes an account. A superuser leaves the list of superusers before they stop being one, and joins it after they became one, so
 * that one always remains. Sessions end with the right to sign in, and otherwise get the new role. A repeat finishes a change that
 * was cut off.
 * @throws Refusal NOT_FOUND, ERASED, ACCOUNT_DELETED, NOT_YOURSELF, LAST_SUPERUSER
 */
export const administerAccount = async (
  { sessions }: Pick<CommandDeps, 'sessions'>,
  accountId: string,
  command: AdministrativeCommand,
  acting: ActingLane,
): Promise<void> => {
  const expected = await acting.preview(account, accountId, command);
  const listed = (stays: boolean) =>
    acting.do(superusers, SUPERUSERS, { type: stays ? 'Join' : 'Leave', accountId });
  if (!isSuperuser(expected)) await listed(false);
  const done = await acting.do(account, accountId, command);
  // Another change may have come between, and have told the list and the sessions before: the last one counts there, too.
  for (let told = done.state; ; ) {
    await listed(isSuperuser(told));
    if (signInRefusal(told)) await sessions.closeAll(accountId);
    else await sessions.update(accountId, { role: told.role });
    const { state } = await acting.state(account, accountId);
    if (state.role === told.role && signInRefusal(state) === signInRefusal(told)) return;
    told = state;
  }
};
