import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';

/** The read models, for operators. */

/** What can be asked of the projector. */
export const PROJECTION_WORK = [
  'check',
  'build',
  'switch',
  'replace',
  'switch-back',
  'retry-parked',
] as const;

/** A copy of all read models: the live ones, those that a rebuild has built beside them, or those that a switch replaced. */
export const readModelSet = z.object({
  name: z.enum(['live', 'next', 'previous']),
  /** How far it is in the log. */
  position: z.string(),
  /** When the log took the last event that it has. */
  eventAt: z.nullable(z.string()),
  /** Whether they are of another log, or of an end that this one has lost in a restore. */
  otherLog: z.boolean(),
  /** How many events come after that; counted up to 10,000. It is 0 if they are of another log: nobody knows then. */
  behind: z.int(),
  /** The version of each projection that made it. */
  versions: z.record(z.string(), z.int()),
  parked: z.int(),
});
export type ReadModelSet = z.infer<typeof readModelSet>;

/** An event that no table can take, or that waits behind such a one (its `error` is null). */
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
  /** Null until it has ended. */
  endedAt: z.nullable(z.string()),
  phase: z.nullable(z.string()),
  events: z.nullable(z.int()),
  /** Which part of the log has been read, from 0 to 1. */
  fraction: z.nullable(z.number()),
  /** When reading the log will have ended, as far as its pace tells. */
  expectedAt: z.nullable(z.string()),
  /** In words; of work that failed, why. */
  outcome: z.nullable(z.string()),
  failed: z.boolean(),
});
export type ProjectionWork = z.infer<typeof projectionWork>;

export const projectionCalls = {
  overview: call('GET /api/admin/projections', {
    answer: z.object({
      sets: z.array(readModelSet),
      /** Of the live ones, in the log's order, at most 100. */
      parked: z.array(parkedEvent),
      /** The newest first, at most 10. */
      work: z.array(projectionWork),
    }),
    capability: 'operate',
  }),
  /** Asks the projector for work, one at a time: 409 `CONFLICT` while other work is under way. `replace` switches though rows differ. */
  ask: call('POST /api/admin/projections/work', {
    body: z.strictObject({ kind: z.enum(PROJECTION_WORK) }),
    answer: said(),
    status: [202],
    capability: 'operate',
    limit: 'administration',
  }),
};
