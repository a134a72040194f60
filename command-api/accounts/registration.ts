/** After an interruption, the address can be claimed again in ten minutes. */

import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { Refusal, refusalOf } from '#domain/kernel/refusal.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import type { FoundAccount } from './lookup.ts';
import { demandGoodPassword } from './new-password.ts';

export interface Registration {
  readonly accountId?: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly profileImageUrl: string | null;
  readonly role: Role;
  readonly verified: boolean;
  readonly via: 'password' | 'google';
  readonly password: string | null;
}

type Deps = Pick<CommandDeps, 'ids' | 'emailId' | 'credentials' | 'handler'>;

/** @throws Refusal EMAIL_TAKEN, WEAK_PASSWORD for one of the most common passwords */
export const registerAccount = async (
  { ids, emailId, credentials, handler }: Deps,
  registration: Registration,
  acting: ActingHandler,
): Promise<FoundAccount> => {
  const { accountId = ids.uuid(), password, ...facts } = registration;
  if (password !== null) demandGoodPassword(password, []);
  const claimId = emailId(facts.email);
  // The acting command handler's refusals carry a position, which would reveal when the address was registered.
  const { state: before } = await handler.state(emailClaim, claimId);
  if (before?.confirmed && before.accountId !== accountId) throw new Refusal('EMAIL_TAKEN');

  if (password !== null) await credentials.setPassword(accountId, password);
  const { at } = acting.context;
  const claimed = await acting.ask(emailClaim, claimId, { type: 'Claim', accountId, at });
  if (!claimed.ok) {
    await credentials.remove(accountId);
    throw refusalOf(claimed.rejection);
  }
  const { state } = await acting.do(account, accountId, { type: 'Register', accountId, ...facts });
  await acting.do(emailClaim, claimId, { type: 'Confirm', accountId });
  if (facts.role === 'superuser') await acting.do(superusers, SUPERUSERS, { type: 'Join', accountId });
  return { accountId, state };
};
