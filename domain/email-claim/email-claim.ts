import { type Aggregate, type Decision, reject } from '#domain/decider.ts';
import type { EmailClaimEvent } from './events.ts';
import { type EmailClaimState, evolve, initial } from './state.ts';

/** What can be asked about an address. `at`: ISO instant. */
export type EmailClaimCommand =
  | { readonly type: 'Claim'; readonly accountId: string; readonly at: string }
  /** Once the account is registered. */
  | { readonly type: 'Confirm'; readonly accountId: string }
  /** Part of an erasure. */
  | { readonly type: 'Release'; readonly accountId: string };

/** How long a registration that was cut off keeps others from the address, in milliseconds. */
export const UNCONFIRMED_FOR = 10 * 60_000;

/** One account an address. Refuses with EMAIL_TAKEN. */
const decide = (state: EmailClaimState, command: EmailClaimCommand): Decision<EmailClaimEvent> => {
  const { accountId } = command;
  const own = state?.accountId === accountId;
  switch (command.type) {
    case 'Claim': {
      if (own) return [];
      const { at } = command;
      const lapsed = state && !state.confirmed && Date.parse(at) - Date.parse(state.at) >= UNCONFIRMED_FOR;
      return !state || lapsed ? [{ type: 'EmailClaimed', data: { accountId, at } }] : reject('EMAIL_TAKEN');
    }
    case 'Confirm':
      if (!own) return reject('EMAIL_TAKEN');
      return state.confirmed ? [] : [{ type: 'ClaimConfirmed', data: { accountId } }];
    case 'Release':
      return own ? [{ type: 'EmailReleased', data: { accountId } }] : [];
  }
};

/** The form in which addresses are compared, and hashed into the stream's name: two that differ by case alone are one. */
export const addressKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** Lives in `email-{hmac of addressKey}`. */
export const emailClaim: Aggregate<EmailClaimState, EmailClaimCommand, EmailClaimEvent> = {
  name: 'email',
  initial,
  evolve,
  decide,
};
