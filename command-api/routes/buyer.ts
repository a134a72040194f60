import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { demandSignedIn, type Principal, type SignedIn } from '#infra/http/principal.ts';

/**
 * Session flags may be out of date: reads the account before refusing.
 * @throws Refusal NOT_SIGNED_IN, PROFILE_INCOMPLETE, EMAIL_UNVERIFIED
 */
export const demandBuyer = async (
  principal: Principal,
  { handler, sessions }: Pick<CommandDeps, 'handler' | 'sessions'>,
): Promise<SignedIn> => {
  const buyer = demandSignedIn(principal);
  if (buyer.profileComplete && buyer.emailVerified) return buyer;
  const { state } = await handler.state(account, buyer.accountId);
  const flags = { profileComplete: state.completed, emailVerified: state.verified };
  await sessions.update(buyer.accountId, flags);
  if (!flags.profileComplete) throw new Refusal('PROFILE_INCOMPLETE', { requiresProfile: true });
  if (!flags.emailVerified) throw new Refusal('EMAIL_UNVERIFIED', { requiresEmailVerification: true });
  return { ...buyer, ...flags };
};
