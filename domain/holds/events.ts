import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export const holdsEvents = {
  /** `until` is an ISO instant, the latest end. `over`: listings whose holds ended early. */
  HoldCounted: defineEvent<{
    userId: string;
    listingId: number;
    attempt: string;
    until: string;
    over: readonly number[];
  }>()({ audit: null, work: false }),
};
export type HoldsEvent = EventOf<typeof holdsEvents>;
