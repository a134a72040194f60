import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { EmailClaimEvent } from './events.ts';
import { type EmailClaimState, evolve, initial } from './state.ts';

/** The commands of the claim on an email address. `at` is an ISO instant. */
export type EmailClaimCommand =
  | { readonly type: 'Claim'; readonly accountId: string; readonly at: string }
  /** Given when the account is registered. */
  | { readonly type: 'Confirm'; readonly accountId: string }
  /** Given when the account is erased. */
  | { readonly type: 'Release'; readonly accountId: string };

/** How long an unconfirmed claim keeps others from the address, in milliseconds. A registration that was cut off leaves one. */
export const UNCONFIRMED_FOR = 10 * 60_000;

/** The rules: an address belongs to one account. Refuses with EMAIL_TAKEN. */
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

/** The form in which addresses are compared and hashed for the stream's name: in lower case. */
export const addressKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** The email claim aggregate. Its stream is `email-{hmac of addressKey}`. */
export const emailClaim: Aggregate<EmailClaimState, EmailClaimCommand, EmailClaimEvent> = {
  name: 'email',
  initial,
  evolve,
  decide,
};
