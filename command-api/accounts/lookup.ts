/** From an address to its account, by streams whose names are known: address → claim → account. */
import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { account } from '#domain/account/account.ts';
import { type AccountState, signInRefusal } from '#domain/account/state.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';

/** An account with what its stream says of it. */
export interface FoundAccount {
  readonly accountId: string;
  readonly state: AccountState;
}

/**
 * The account that has an address, in whatever condition; undefined if nobody has it. A registration that was cut
 * off just before its claim was confirmed is finished on the way.
 */
export const accountByAddress = async (
  { emailId }: Pick<CommandDeps, 'emailId'>,
  address: string,
  acting: ActingLane,
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

/** Whether somebody with that account may sign in at all; the password is another question. */
export const maySignIn = (found: FoundAccount | undefined): found is FoundAccount =>
  found !== undefined && signInRefusal(found.state) === undefined;

/** What a session keeps of an account. */
export const sessionFacts = ({ accountId, state }: FoundAccount) => ({
  accountId,
  role: state.role,
  emailVerified: state.verified,
  profileComplete: state.completed,
});
