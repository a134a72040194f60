import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { idParams } from './fields.ts';

/** An event whose tickets the caller waits for. */
export const wait = z.object({
  eventId: z.int(),
  title: z.string(),
  venue: z.string(),
  /** `YYYY-MM-DD` and `HH:mm` at the venue. */
  date: z.string(),
  time: z.string(),
  since: z.string(),
});
export type Wait = z.infer<typeof wait>;

/** How many wait for an event's tickets. */
export const waiters = z.object({ eventId: z.int(), waiting: z.int() });

const own = { capability: 'use-bookings' } as const;

/** The calls of waiting lists: who wants tickets of an event that is sold out is mailed once, when there are some again. */
export const waitingCalls = {
  /** The caller's own, of events that lie ahead. Whoever has waited longest comes first. */
  list: call('GET /api/waiting', { answer: z.array(wait), ...own }),
  /** Succeeds for who waits already. Refused with TICKETS_LEFT while there are tickets. */
  join: call('POST /api/events/{id}/waiting', {
    params: idParams(),
    answer: said(),
    capability: 'buy',
    limit: 'changes',
  }),
  /** Succeeds for who doesn't wait, too. */
  leave: call('DELETE /api/events/{id}/waiting', {
    params: idParams(),
    answer: said(),
    limit: 'changes',
    ...own,
  }),
  /** Of the events that lie ahead and that somebody waits for. */
  counts: call('GET /api/admin/waiting', { answer: z.array(waiters), capability: 'administer' }),
};
