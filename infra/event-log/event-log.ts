/**
 * The port to the event log. Three adapters stand behind it: memory, PostgreSQL and EventStoreDB;
 * `tests/conformance/event-log.spec.ts` holds all of them to what is promised here.
 */

/**
 * A place in the log's total order. Opaque to everyone but the adapter; padded, so that comparing two positions
 * of one log as strings compares their places. `START` is before the first event.
 */
export type Position = string;
export const START: Position = '';

/** What a stream must look like for an append to stand: its last revision (the first event has 0), no stream yet, or whatever. */
export type Expected = number | 'none' | 'any';

/** An event as it is handed to the log. `data` and `meta` are canonical JSON text: the bytes stored are these bytes. */
export interface NewEvent {
  /** UUID. The same id is never appended twice to one stream by a caller that retries. */
  readonly id: string;
  readonly type: string;
  /** Version of the type's schema, from 1. */
  readonly version: number;
  readonly data: string;
  readonly meta: string;
  /** Only a copy of another log sets it, to keep the time at which that one took the event. Otherwise the log sets it. */
  readonly recordedAt?: string;
}

/** An event as the log gives it back. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** When the log took it, ISO 8601 in UTC with milliseconds; ours, not the store's. */
  readonly recordedAt: string;
}

/** One item of a batch: it stands or falls by itself. `'any'` is never used on a stream that something decides on. */
export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
}

export interface Appended {
  readonly ok: true;
  /** Of the last event appended. */
  readonly revision: number;
  readonly position: Position;
}

/** The stream had moved on. `tail` is every event after `expected` (all of them for `'none'`), in order. */
export interface Conflict {
  readonly ok: false;
  readonly tail: readonly RecordedEvent[];
}

export type AppendResult = Appended | Conflict;

/** Narrows what a subscription or a read of the whole log yields. Where both are given, an event must satisfy both. */
export interface Filter {
  /** Beginnings of stream names, e.g. `inventory-`. */
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

/** A run of events in log order. `position` is how far the log has been looked at: a checkpoint even when `events` is empty. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  /** True when nothing newer was there at the time of reading. */
  readonly live: boolean;
}

export interface ReadStreamOptions {
  /** First revision to read (forwards), or the one to start back from (backwards; default: the last). */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface ReadAllOptions {
  readonly filter?: Filter;
  /** Read no further than this position. Default: to the end at the time of each page. */
  readonly until?: Position;
  /** Events a page, at the most. Default 1,000. */
  readonly pageSize?: number;
}

export interface SubscribeOptions {
  readonly filter?: Filter;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /** Events a page, at the most. Default 1,000. */
  readonly pageSize?: number;
}

/** The largest event that a log takes, in bytes of `data` and `meta` together. */
export const LARGEST_EVENT = 256 * 1024;

/** Thrown by `append` for an event above `LARGEST_EVENT`; nothing of the batch has been written. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}

/**
 * Thrown by `append` when the reply was lost: the events may or may not stand. The caller reads the streams
 * again, looks for its `commandId`, and only then decides again.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown when the store can't be reached and nothing has been written. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/**
 * Thrown by reading or subscribing after a position that this log has not reached: it was restored from an older
 * backup, and what follows it has seen events that are gone. (EventStoreDB can't tell, its positions have gaps.)
 */
export class BeyondTheEnd extends Error {
  override readonly name = 'BeyondTheEnd';
}

export interface EventLog {
  /** Identifies this log for good. Checkpoints, snapshots and position tokens carry it. */
  readonly id: string;

  /**
   * Appends a batch: one result an item, in order. Two items of one batch must not name the same stream.
   * After it returns, every later read sees the events; order is total, and what is visible is a stable prefix.
   * @throws TypeError for two items on one stream, or one without events
   * @throws EventTooLarge, OutcomeUnknown, LogUnavailable
   */
  append(batch: readonly Append[]): Promise<readonly AppendResult[]>;

  /** The events of one stream; none for a stream that does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;

  /** The whole log after a position, page by page, up to its end; then it ends. Never holds a long snapshot. */
  readAll(after: Position, options?: ReadAllOptions): AsyncIterable<Batch>;

  /**
   * The log after a position and then live, without loss or repeat, until `signal` aborts (it then ends without an error).
   * A slow consumer holds nobody up: batches are read only when asked for. It survives the store's restart. Once the
   * end is reached for the first time, a batch that says `live` comes, even if there was no event at all.
   */
  subscribe(after: Position, options?: SubscribeOptions): AsyncIterable<Batch>;

  /** The position of the last event, `START` for an empty log. */
  head(): Promise<Position>;

  close(): Promise<void>;
}
