import { type EventOf, plain } from '#domain/personal.ts';

/** Events of `email-{hmac}`: who owns an address. The stream's name is an HMAC, so that the log holds no address. */
export const emailClaimEvents = {
  /** Takeable again after 10 minutes while unconfirmed. `at`: ISO instant. */
  EmailClaimed: plain<{ accountId: string; at: string }>(),
  ClaimConfirmed: plain<{ accountId: string }>(),
  EmailReleased: plain<{ accountId: string }>(),
};
export type EmailClaimEvent = EventOf<typeof emailClaimEvents>;
