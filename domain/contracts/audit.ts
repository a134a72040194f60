import * as z from 'zod/mini';
import { call } from './call.ts';
import { blankable, countText, instant, LONGEST } from './fields.ts';

export const logEntry = z.object({
  id: z.string(),
  position: z.string(),
  stream: z.string(),
  revision: z.int(),
  type: z.string(),
  version: z.int(),
  recordedAt: z.string(),
  /** Time of its command. */
  at: z.string(),
  actor: z.object({ kind: z.string(), id: z.nullable(z.string()), role: z.nullable(z.string()) }),
  commandId: z.nullable(z.string()),
  correlationId: z.nullable(z.string()),
  causationId: z.nullable(z.string()),
  data: z.record(z.string(), z.unknown()),
});
export type LogEntry = z.infer<typeof logEntry>;

const filter = {
  /** Recording time: `from` inclusive, `to` exclusive. */
  from: z.optional(instant()),
  to: z.optional(instant()),
  actor: z.optional(blankable(LONGEST.name)),
  stream: z.optional(blankable(LONGEST.title)),
  type: z.optional(blankable(LONGEST.name)),
  correlation: z.optional(blankable(LONGEST.name)),
  /** Starts of words in type, stream or data; sealed values are not searched. */
  search: z.optional(blankable(LONGEST.search)),
};

export const logFilter = z.object(filter);
export type AskedFilter = z.infer<typeof logFilter>;

const idInPath = z.object({ id: z.uuid('Not an id of an event') });

export const stateChange = z.object({
  path: z.array(z.string()),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});
export type StateChange = z.infer<typeof stateChange>;

export const eventTree = z.object({
  causes: z.array(logEntry),
  /** Direct and indirect, in log order, at most 200. */
  effects: z.array(logEntry),
  /** Of the same request, webhook or job, in log order, at most 200. */
  together: z.array(logEntry),
});
export type EventTree = z.infer<typeof eventTree>;

export const logNews = z.object({ entries: z.array(logEntry), skipped: z.int() });
export type LogNews = z.infer<typeof logNews>;

export const auditCalls = {
  /** Newest first. The first page of each filter is logged (`LogRead`). */
  list: call('GET /api/audit/events', {
    query: z.object({
      ...filter,
      limit: z._default(z.optional(countText(1, 200)), 50),
      cursor: z.optional(blankable(LONGEST.name)),
    }),
    answer: z.array(logEntry),
    capability: 'read-log',
  }),
  types: call('GET /api/audit/types', { answer: z.array(z.string()), capability: 'read-log' }),
  /** `changes` is null without a state, or if the stream is too long to fold. */
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
  /** Null once erased. Logged (`SealedShown`). */
  sealed: call('GET /api/audit/events/{id}/sealed', {
    params: idInPath,
    answer: z.object({ fields: z.record(z.string(), z.unknown()) }),
    capability: 'read-log',
    limit: 'unsealing',
  }),
  /** As stored, one event per line, in log order (docs/operations/incidents.md). */
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
  /** Closes with its session. */
  live: call('GET /api/audit/live', { query: logFilter, answer: 'websocket', capability: 'read-log' }),
};
