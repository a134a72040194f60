import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';

/**
 * Brings the sessions of an account to what its stream says: for a process that died after it recorded a change, and before it reached
 * the sessions. Otherwise it finds nothing to do, and it can be repeated.
 * @param before ends the sessions that were opened before this instant, since they have nothing to show for what has changed
 */
export const alignSessions = async (
  { sessions, lane }: Pick<CommandDeps, 'sessions' | 'lane'>,
  accountId: string,
  before?: Date,
): Promise<void> => {
  const { state } = await lane.state(account, accountId);
  if (signInRefusal(state)) return sessions.closeAll(accountId);
  if (before) await sessions.closeOlder(accountId, before);
  // With a second factor that is on, only those that gave a code of it, or set it up, may go on.
  if (state.secondFactor) await sessions.closeWithoutCode(accountId);
  await sessions.update(accountId, {
    role: state.role,
    ...(state.secondFactor ? {} : { secondFactor: false }),
  });
};
