/**
 * Making an account: credentials under a new account id → `EmailClaimed` → `AccountRegistered` →
 * `ClaimConfirmed`. Cut off anywhere, it leaves an address that can be claimed again after ten minutes.
 */
import type { CommandDeps } from '#command-api/deps.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import type { AccountState } from '#domain/account/state.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import { accepted, HttpError } from '#infra/http/errors.ts';

/** Who is to be registered, and how they will sign in. */
export interface Registration {
  /** A new one, unless something waits under one already. */
  readonly accountId?: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly profileImageUrl: string | null;
  readonly role: Role;
  /** The address is known to be theirs. */
  readonly verified: boolean;
  readonly via: 'password' | 'google';
  /** Null: they sign in otherwise. */
  readonly password: string | null;
}

/** The account that was just registered. */
export interface RegisteredAccount {
  readonly accountId: string;
  readonly state: AccountState;
  readonly position: Position;
}

type Deps = Pick<CommandDeps, 'lane' | 'ids' | 'clock' | 'emailId' | 'credentials'>;

/**
 * Registers somebody.
 * @throws HttpError EMAIL_TAKEN; whatever the lane throws
 */
export const registerAccount = async (
  deps: Deps,
  registration: Registration,
  context: Context,
): Promise<RegisteredAccount> => {
  const { lane, ids, emailId, credentials } = deps;
  const { accountId = ids.uuid(), password, ...facts } = registration;
  const claimId = emailId(facts.email);
  const before = await lane.state(emailClaim, claimId);
  if (before.state?.confirmed && before.state.accountId !== accountId) throw new HttpError('EMAIL_TAKEN');

  if (password !== null) await credentials.setPassword(accountId, password);
  const claim = { accountId, at: context.at };
  const claimed = await lane.execute(emailClaim, claimId, { type: 'Claim', ...claim }, context);
  if (!claimed.ok) {
    await credentials.remove(accountId);
    accepted(claimed);
  }
  const registered = accepted(
    await lane.execute(
      account,
      accountId,
      { type: 'Register', accountId, ...facts },
      following(context, deps.clock),
    ),
  );
  const confirmed = accepted(
    await lane.execute(emailClaim, claimId, { type: 'Confirm', accountId }, following(context, deps.clock)),
  );
  if (facts.role !== 'superuser') return { accountId, state: registered.state, position: confirmed.position };
  const joined = accepted(
    await lane.execute(superusers, SUPERUSERS, { type: 'Join', accountId }, following(context, deps.clock)),
  );
  return { accountId, state: registered.state, position: joined.position };
};
