import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export const waitingEvents = {
  WaitingListJoined: defineEvent<{ listingId: number; userId: string }>()({ audit: null, work: true }),
  WaitingListLeft: defineEvent<{ listingId: number; userId: string }>()({ audit: null, work: false }),
  WaiterTold: defineEvent<{ listingId: number; userId: string }>()({ audit: null, work: true }),
};
export type WaitingEvent = EventOf<typeof waitingEvents>;
