import { type EventOf, plain } from '#domain/personal.ts';

/** Events of `superusers-all`: the roll of active superusers. */
export const superuserEvents = {
  SuperuserJoined: plain<{ accountId: string }>(),
  SuperuserLeft: plain<{ accountId: string }>(),
};
export type SuperuserEvent = EventOf<typeof superuserEvents>;
