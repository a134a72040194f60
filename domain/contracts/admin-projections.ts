import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';

export const PROJECTION_WORK = [
  'check',
  'build',
  'switch',
  'replace',
  'switch-back',
  'retry-parked',
] as const;

export const readModelSet = z.object({
  name: z.enum(['live', 'next', 'previous']),
  position: z.string(),
  eventAt: z.nullable(z.string()),
  /** Built from another log, or from a tail that a restore has lost. */
  otherLog: z.boolean(),
  /** Events not yet applied, at most 10,000; 0 for another log. */
  behind: z.int(),
  versions: z.record(z.string(), z.int()),
  parked: z.int(),
});
export type ReadModelSet = z.infer<typeof readModelSet>;

/** No projection can apply it, or one queued before it (then `error` is null). */
export const parkedEvent = z.object({
  id: z.string(),
  position: z.string(),
  type: z.string(),
  stream: z.string(),
  error: z.nullable(z.string()),
  tries: z.int(),
  parkedAt: z.string(),
});
export type ParkedEvent = z.infer<typeof parkedEvent>;

export const projectionWork = z.object({
  id: z.int(),
  kind: z.enum(PROJECTION_WORK),
  askedAt: z.string(),
  endedAt: z.nullable(z.string()),
  phase: z.nullable(z.string()),
  events: z.nullable(z.int()),
  fraction: z.nullable(z.number()),
  expectedAt: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  failed: z.boolean(),
});
export type ProjectionWork = z.infer<typeof projectionWork>;

export const projectionCalls = {
  overview: call('GET /api/admin/projections', {
    answer: z.object({
      sets: z.array(readModelSet),
      parked: z.array(parkedEvent),
      /** Newest first, at most 10. */
      work: z.array(projectionWork),
    }),
    capability: 'operate',
  }),
  /** `CONFLICT` while other work runs. `replace` switches even if rows differ. */
  ask: call('POST /api/admin/projections/work', {
    body: z.strictObject({ kind: z.enum(PROJECTION_WORK) }),
    answer: said(),
    status: [202],
    capability: 'operate',
    limit: 'administration',
  }),
};
