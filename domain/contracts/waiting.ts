import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { idParams } from './fields.ts';

export const wait = z.object({
  eventId: z.int(),
  title: z.string(),
  venue: z.string(),
  date: z.string(),
  time: z.string(),
  since: z.string(),
});
export type Wait = z.infer<typeof wait>;

export const waiters = z.object({ eventId: z.int(), waiting: z.int() });

const own = { capability: 'use-bookings' } as const;

/** Each person is mailed once when tickets are available again. */
export const waitingCalls = {
  list: call('GET /api/waiting', { answer: z.array(wait), ...own }),
  /** Idempotent. TICKETS_LEFT while there are tickets. */
  join: call('POST /api/events/{id}/waiting', {
    params: idParams(),
    answer: said(),
    capability: 'buy',
    limit: 'changes',
  }),
  /** Idempotent. */
  leave: call('DELETE /api/events/{id}/waiting', {
    params: idParams(),
    answer: said(),
    limit: 'changes',
    ...own,
  }),
  counts: call('GET /api/admin/waiting', { answer: z.array(waiters), capability: 'administer' }),
};
