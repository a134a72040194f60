import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** Stream `email-{hmac}`: an HMAC, so that the log holds no address. */
export const emailClaimEvents = {
  /** Unless confirmed, others may claim the address after 10 minutes. `at` is an ISO instant. */
  EmailClaimed: defineEvent<{ accountId: string; at: string }>()({ audit: null, work: false }),
  ClaimConfirmed: defineEvent<{ accountId: string }>()({ audit: null, work: false }),
  EmailReleased: defineEvent<{ accountId: string }>()({ audit: null, work: false }),
};
export type EmailClaimEvent = EventOf<typeof emailClaimEvents>;
