import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { type AccountState, signInRefusal } from '#domain/account/state.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';

export interface FoundAccount {
  readonly accountId: string;
  readonly state: AccountState;
}

/** Also finds deactivated and deleted accounts. Confirms a claim of an interrupted registration. */
export const accountByAddress = async (
  { emailId }: Pick<CommandDeps, 'emailId'>,
  address: string,
  acting: ActingHandler,
): Promise<FoundAccount | undefined> => {
  const claimId = emailId(address);
  const { state: claim } = await acting.state(emailClaim, claimId);
  if (!claim) return undefined;
  const { accountId } = claim;
  const { state } = await acting.state(account, accountId);
  if (state.accountId === null) return undefined;
  if (!claim.confirmed) await acting.ask(emailClaim, claimId, { type: 'Confirm', accountId });
  return { accountId, state };
};

export const maySignIn = (found: FoundAccount | undefined): found is FoundAccount =>
  found !== undefined && signInRefusal(found.state) === undefined;

export const sessionFacts = ({ accountId, state }: FoundAccount) => ({
  accountId,
  role: state.role,
  emailVerified: state.verified,
  profileComplete: state.completed,
});
