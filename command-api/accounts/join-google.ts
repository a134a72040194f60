import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { account } from '#domain/account/account.ts';
import type { FederatedIdentity } from '#infra/identity/credentials.ts';
import { forgetIfErased } from './erasure.ts';
import type { FoundAccount } from './lookup.ts';

/**
 * Makes a Google identity the way into an account. Its password goes and its sessions end, since whoever made the account may not have
 * been the owner of its address. It can be repeated.
 * @throws Refusal ERASED, ACCOUNT_DELETED
 */
export const joinGoogle = async (
  { credentials, sessions }: Pick<CommandDeps, 'credentials' | 'sessions'>,
  identity: FederatedIdentity,
  accountId: string,
  acting: ActingLane,
): Promise<FoundAccount> => {
  const { state } = await acting.do(account, accountId, { type: 'LinkGoogle' });
  await credentials.removePassword(accountId);
  await sessions.closeAll(accountId);
  // Last: where this is cut off, the next sign-in does it all again.
  await credentials.link(identity, accountId);
  await forgetIfErased({ credentials }, accountId, acting);
  return { accountId, state };
};
