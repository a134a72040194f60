import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { signInRefusal } from '#domain/account/state.ts';

/**
 * Repairs sessions after an interrupted change.
 * @param before closes sessions opened before this instant
 */
export const alignSessions = async (
  { sessions, handler }: Pick<CommandDeps, 'sessions' | 'handler'>,
  accountId: string,
  before?: Date,
): Promise<void> => {
  const { state } = await handler.state(account, accountId);
  if (signInRefusal(state)) return sessions.closeAll(accountId);
  if (before) await sessions.closeOlder(accountId, before);
  // Ends sessions that gave no code.
  if (state.secondFactor) await sessions.closeWithoutCode(accountId);
  await sessions.update(accountId, {
    role: state.role,
    ...(state.secondFactor ? {} : { secondFactor: false }),
  });
};
