import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** The events of `email-{hmac}`, which say who owns an address. The name is an HMAC, so that the log holds no address. */
export const emailClaimEvents = {
  /** Unless it is confirmed, others may claim the address after 10 minutes. `at` is an ISO instant. */
  EmailClaimed: defineEvent<{ accountId: string; at: string }>()({ audit: null, work: false }),
  ClaimConfirmed: defineEvent<{ accountId: string }>()({ audit: null, work: false }),
  EmailReleased: defineEvent<{ accountId: string }>()({ audit: null, work: false }),
};
export type EmailClaimEvent = EventOf<typeof emailClaimEvents>;
