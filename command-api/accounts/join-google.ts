import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import type { FederatedIdentity } from '#infra/identity/credentials.ts';
import { forgetIfErased } from './erasure.ts';
import type { FoundAccount } from './lookup.ts';

/**
 * Removes the password and closes all sessions, since the account's creator may not own the address.
 * Repeatable.
 * @throws Refusal ERASED, ACCOUNT_DELETED
 */
export const joinGoogle = async (
  { credentials, sessions }: Pick<CommandDeps, 'credentials' | 'sessions'>,
  identity: FederatedIdentity,
  accountId: string,
  acting: ActingHandler,
): Promise<FoundAccount> => {
  const { state } = await acting.do(account, accountId, { type: 'LinkGoogle' });
  await credentials.removePassword(accountId);
  await sessions.closeAll(accountId);
  // Last, so that the next sign-in repeats an interrupted link.
  await credentials.link(identity, accountId);
  await forgetIfErased({ credentials }, accountId, acting);
  return { accountId, state };
};
