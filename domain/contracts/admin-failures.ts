import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';

/** After how many failures in a row something is listed as failing. */
export const LISTED_FROM = 5;

/** What keeps failing: work in the background, a mail, a refund that the provider refuses, an event that no table can take, the log that does not fit its tree, a webhook that the site has stopped. */
const FAILURES = ['job', 'mail', 'refund', 'event', 'log', 'webhook'] as const;
const RETRIED = ['job', 'mail', 'refund', 'event'] as const;

/** An item of `GET /api/admin/failures`. */
export const failure = z.object({
  kind: z.enum(FAILURES),
  id: z.string(),
  /** Which work, mail or event: `reconcile`, `booking-confirmation`. */
  what: z.string(),
  /** What it is about: a booking's or a payment's id. */
  about: z.string(),
  tries: z.int(),
  reason: z.string(),
  since: z.string(),
  /** Whether `retry` can try it again: a mail with a secret can't, once it is too late. */
  canRetry: z.boolean(),
});
export type Failure = z.infer<typeof failure>;

/** The calls of `/api/admin/failures`. */
export const failureCalls = {
  /** What failed at least `LISTED_FROM` times in a row, what was given up, and what is parked; the newest first, at most 200. */
  list: call('GET /api/admin/failures', { answer: z.array(failure), capability: 'operate' }),
  /** Tries it again at once; of an event all that are parked, in the log's order. Refused with `NOT_FOUND` if it doesn't fail any more, or can't be tried again. */
  retry: call('POST /api/admin/failures/{kind}/{id}/retry', {
    params: z.object({ kind: z.enum(RETRIED), id: z.string() }),
    answer: said(),
    capability: 'operate',
    limit: 'administration',
  }),
};
