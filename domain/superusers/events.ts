import { type EventOf, event } from '#domain/kernel/event.ts';

/** The events of `superusers-all`, the list of active superusers. */
export const superuserEvents = {
  SuperuserJoined: event<{ accountId: string }>()({ audit: null, work: false }),
  SuperuserLeft: event<{ accountId: string }>()({ audit: null, work: false }),
};
export type SuperuserEvent = EventOf<typeof superuserEvents>;
