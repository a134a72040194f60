import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** The events of `superusers-all`, the list of active superusers. */
export const superuserEvents = {
  SuperuserJoined: plain<{ accountId: string }>(),
  SuperuserLeft: plain<{ accountId: string }>(),
};
export type SuperuserEvent = EventOf<typeof superuserEvents>;
