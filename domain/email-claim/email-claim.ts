import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { EmailClaimEvent } from './events.ts';
import { type EmailClaimState, evolve, initial } from './state.ts';

/** `at` is an ISO instant. */
export type EmailClaimCommand =
  | { readonly type: 'Claim'; readonly accountId: string; readonly at: string }
  | { readonly type: 'Confirm'; readonly accountId: string }
  | { readonly type: 'Release'; readonly accountId: string };

/** Milliseconds for which an unconfirmed claim blocks the address. */
export const UNCONFIRMED_FOR = 10 * 60_000;

/** An address belongs to one account. Refuses with EMAIL_TAKEN. */
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

export const addressKey = (email: string): string => email.trim().normalize('NFC').toLowerCase();

export const emailClaim: Aggregate<EmailClaimState, EmailClaimCommand, EmailClaimEvent> = {
  name: 'email',
  initial,
  evolve,
  decide,
};
