import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';

/**
 * Repairs sessions after a crash between recording a change and updating the sessions. Repeatable.
 * @param before sessions opened before this instant are closed
 */
export const alignSessions = async (
  { sessions, lane }: Pick<CommandDeps, 'sessions' | 'lane'>,
  accountId: string,
  before?: Date,
): Promise<void> => {
  const { state } = await lane.state(account, accountId);
  if (signInRefusal(state)) return sessions.closeAll(accountId);
  if (before) await sessions.closeOlder(accountId, before);
  // With a second factor on, only sessions that gave a code or set it up may continue.
  if (state.secondFactor) await sessions.closeWithoutCode(accountId);
  await sessions.update(accountId, {
    role: state.role,
    ...(state.secondFactor ? {} : { secondFactor: false }),
  });
};
