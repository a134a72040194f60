import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** The events of `waiting-{listingId}`: the people who want tickets of a listing that is sold out. */
export const waitingEvents = {
  WaitingListJoined: plain<{ listingId: number; userId: string }>(),
  WaitingListLeft: plain<{ listingId: number; userId: string }>(),
  /** There were tickets again, and this person, who had waited longest, is told. They wait no more. */
  WaiterTold: plain<{ listingId: number; userId: string }>(),
};
export type WaitingEvent = EventOf<typeof waitingEvents>;
