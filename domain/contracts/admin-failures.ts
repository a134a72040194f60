import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';

export const LISTED_FROM = 5;

/** `event`: no projection can apply it; `log`: it does not match its Merkle tree; `webhook`: disabled by the site. */
const FAILURES = ['job', 'mail', 'refund', 'event', 'log', 'webhook'] as const;
const RETRIED = ['job', 'mail', 'refund', 'event'] as const;

export const failure = z.object({
  kind: z.enum(FAILURES),
  id: z.string(),
  what: z.string(),
  /** What it is about: a booking's or a payment's id. */
  about: z.string(),
  tries: z.int(),
  reason: z.string(),
  since: z.string(),
  /** False for an expired mail with a secret. */
  canRetry: z.boolean(),
});
export type Failure = z.infer<typeof failure>;

export const failureCalls = {
  /** Items that failed `LISTED_FROM` times in a row, were given up or are parked; newest first, at most 200. */
  list: call('GET /api/admin/failures', { answer: z.array(failure), capability: 'operate' }),
  /** For an event, retries all parked ones in log order. `NOT_FOUND` if it cannot be retried. */
  retry: call('POST /api/admin/failures/{kind}/{id}/retry', {
    params: z.object({ kind: z.enum(RETRIED), id: z.string() }),
    answer: said(),
    capability: 'operate',
    limit: 'administration',
  }),
};
