import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** The events of `holds-{userId}`: where an account holds tickets. */
export const holdsEvents = {
  /** `until` (an ISO instant): when the hold ends at the latest. `over`: listings whose holds had ended before their time. */
  HoldCounted: defineEvent<{
    userId: string;
    listingId: number;
    attempt: string;
    until: string;
    over: readonly number[];
  }>()({ audit: null, work: false }),
};
export type HoldsEvent = EventOf<typeof holdsEvents>;
