import * as z from 'zod/mini';
import { call } from './call.ts';
import { blankable, countText, instant, LONGEST } from './fields.ts';

/** The event log for auditors. Values that are sealed come as `{ "erased": true, "sealed": true }`. */

/** An event of the log as everybody with `read-log` may see it. */
export const logEntry = z.object({
  id: z.string(),
  /** Its place in the whole log; sorts as text. */
  position: z.string(),
  stream: z.string(),
  revision: z.int(),
  type: z.string(),
  version: z.int(),
  /** When the log took it. */
  recordedAt: z.string(),
  /** When its command was given. */
  at: z.string(),
  actor: z.object({ kind: z.string(), id: z.nullable(z.string()), role: z.nullable(z.string()) }),
  commandId: z.nullable(z.string()),
  correlationId: z.nullable(z.string()),
  /** The id of the event that its command reacted to. */
  causationId: z.nullable(z.string()),
  data: z.record(z.string(), z.unknown()),
});
export type LogEntry = z.infer<typeof logEntry>;

const filter = {
  /** The time at which the log took it: from this instant on, and before that one. */
  from: z.optional(instant()),
  to: z.optional(instant()),
  /** An account's id, the name of a part of the site, or `visitor`. */
  actor: z.optional(blankable(LONGEST.name)),
  stream: z.optional(blankable(LONGEST.title)),
  type: z.optional(blankable(LONGEST.name)),
  correlation: z.optional(blankable(LONGEST.name)),
  /** Words, each the beginning of one in the event's type, its stream or its data. What is sealed is not searched. */
  search: z.optional(blankable(LONGEST.search)),
};

/** What the log is narrowed to. */
export const logFilter = z.object(filter);
export type AskedFilter = z.infer<typeof logFilter>;

const idInPath = z.object({ id: z.uuid('Not an id of an event') });

/** A value of a stream's state before and after an event; absent on the side where there is none. */
export const stateChange = z.object({
  /** `holds › 0b5e… › quantity` */
  path: z.array(z.string()),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});
export type StateChange = z.infer<typeof stateChange>;

/** An event with where it comes from, for a tree. `causationId` names its parent. */
export const eventTree = z.object({
  /** What led to the event, the first cause first. */
  causes: z.array(logEntry),
  /** What the event led to, directly or not, in the log's order; each names its parent in `causationId`. At most 200. */
  effects: z.array(logEntry),
  /** What else the same request, webhook or job brought about, in the log's order. At most 200. */
  together: z.array(logEntry),
});
export type EventTree = z.infer<typeof eventTree>;

/** What the live tail says: new events that pass the filter, and how many more there were than it sends. */
export const logNews = z.object({ entries: z.array(logEntry), skipped: z.int() });
export type LogNews = z.infer<typeof logNews>;

/** The calls of `/audit`. */
export const auditCalls = {
  /** The newest first. The first page of each filter is itself recorded in the log (`LogRead`). */
  list: call('GET /api/audit/events', {
    query: z.object({
      ...filter,
      limit: z._default(z.optional(countText(1, 200)), 50),
      cursor: z.optional(blankable(LONGEST.name)),
    }),
    answer: z.array(logEntry),
    capability: 'read-log',
  }),
  /** The types of event that there are, by name. */
  types: call('GET /api/audit/types', { answer: z.array(z.string()), capability: 'read-log' }),
  /** An event, and what it changed in the state of its stream. `changes` is null where the stream has no state, or is too long to fold. */
  read: call('GET /api/audit/events/{id}', {
    params: idInPath,
    answer: z.object({ entry: logEntry, changes: z.nullable(z.array(stateChange)) }),
    capability: 'read-log',
  }),
  tree: call('GET /api/audit/events/{id}/tree', {
    params: idInPath,
    answer: eventTree,
    capability: 'read-log',
  }),
  /** Opens what is sealed in an event: values by field, null once erased. Recorded in the log (`SealedShown`). */
  sealed: call('GET /api/audit/events/{id}/sealed', {
    params: idInPath,
    answer: z.object({ fields: z.record(z.string(), z.unknown()) }),
    capability: 'read-log',
    limit: 'unsealing',
  }),
  /** All events that pass the filter, in the log's order, one a line, as they are stored (docs/operations.md says how). */
  exportNdjson: call('GET /api/audit/events/export-ndjson', {
    query: logFilter,
    answer: 'application/x-ndjson',
    capability: 'read-log',
    limit: 'export',
  }),
  exportCsv: call('GET /api/audit/events/export-csv', {
    query: logFilter,
    answer: 'text/csv',
    capability: 'read-log',
    limit: 'export',
  }),
  /** Messages of `logNews` as events come. It ends with its session. */
  live: call('GET /api/audit/live', { query: logFilter, answer: 'websocket', capability: 'read-log' }),
};
