import type { EmailClaimEvent } from './events.ts';

export type EmailClaimState = {
  readonly accountId: string;
  /** ISO instant. */
  readonly at: string;
  readonly confirmed: boolean;
} | null;

export const initial = null as EmailClaimState;

export const evolve = (state: EmailClaimState, event: EmailClaimEvent): EmailClaimState => {
  switch (event.type) {
    case 'EmailClaimed':
      return { ...event.data, confirmed: false };
    case 'ClaimConfirmed':
      return state && { ...state, confirmed: true };
    case 'EmailReleased':
      return null;
  }
};
