import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** Stream `superusers-all`. */
export const superuserEvents = {
  SuperuserJoined: defineEvent<{ accountId: string }>()({ audit: null, work: false }),
  SuperuserLeft: defineEvent<{ accountId: string }>()({ audit: null, work: false }),
};
export type SuperuserEvent = EventOf<typeof superuserEvents>;
