import { type EventOf, plain } from '#domain/personal.ts';

/** Events of `reads-{day}`: who took what out of the site. Nobody decides on them. */
export const readsEvents = {
  /** A list was exported. `what` is its name, as in the file's; `rows` is how many it had. */
  DataExported: plain<{ what: string; rows: number }>(),
  /** A guest without a code was looked for at the door. `bookings` are those whose names were shown. */
  GuestsShown: plain<{ listingId: number | null; bookings: readonly number[] }>(),
};
export type ReadsEvent = EventOf<typeof readsEvents>;
