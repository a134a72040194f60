import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** The events of `waiting-{listingId}`: the people who want tickets of a listing that is sold out. */
export const waitingEvents = {
  WaitingListJoined: defineEvent<{ listingId: number; userId: string }>()({ audit: null, work: true }),
  WaitingListLeft: defineEvent<{ listingId: number; userId: string }>()({ audit: null, work: false }),
  /** There were tickets again, and this person, who had waited longest, is told. They wait no more. */
  WaiterTold: defineEvent<{ listingId: number; userId: string }>()({ audit: null, work: true }),
};
export type WaitingEvent = EventOf<typeof waitingEvents>;
