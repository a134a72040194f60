import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** The events of `email-{hmac}`, which say who owns an address. The name is an HMAC, so that the log holds no address. */
export const emailClaimEvents = {
  /** Unless it is confirmed, others may claim the address after 10 minutes. `at` is an ISO instant. */
  EmailClaimed: plain<{ accountId: string; at: string }>(),
  ClaimConfirmed: plain<{ accountId: string }>(),
  EmailReleased: plain<{ accountId: string }>(),
};
export type EmailClaimEvent = EventOf<typeof emailClaimEvents>;
