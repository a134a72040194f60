/**
 * The port to the event log. It has three adapters: memory, PostgreSQL and EventStoreDB.
 * `tests/conformance/event-log.spec.ts` checks that each of them keeps what is promised here.
 */

/**
 * A place in the log's total order. Only adapters know its form. Two positions of one log can be compared as strings: the
 * later one is the greater.
 */
export type Position = string;
/** The position before the first event. */
export const START: Position = '';

/** The state of a stream that an append asks for: its last revision (its first event has 0), no events yet, or any. */
export type Expected = number | 'none' | 'any';

/** An event to append. `data` and `meta` are canonical JSON text, stored byte for byte. */
export interface NewEvent {
  /** A UUID. A caller that retries uses the same id again, and never appends it twice to one stream. */
  readonly id: string;
  readonly type: string;
  /** The version of the type's schema, from 1. */
  readonly version: number;
  readonly data: string;
  readonly meta: string;
  /** Set only when copying another log, to keep the time of the original. Otherwise the log sets it. */
  readonly recordedAt?: string;
}

/** An event read from the log. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** When the log appended it: ISO 8601 in UTC with milliseconds, by our clock or the database's, not by EventStoreDB's. */
  readonly recordedAt: string;
}

/** One item of a batch. It is accepted or refused whatever becomes of the others. `'any'` is never used on a stream that something decides on. */
export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
}

/** The answer for an item that was appended. */
export interface Appended {
  readonly ok: true;
  /** Revision and position of the item's last event. */
  readonly revision: number;
  readonly position: Position;
}

/** The answer for an item whose stream had other events. `tail` holds every event after `expected` (for `'none'` all), in order. */
export interface Conflict {
  readonly ok: false;
  readonly tail: readonly RecordedEvent[];
}

export type AppendResult = Appended | Conflict;

/** Which events a subscription or a read of the whole log yields. With both properties, an event must satisfy both. */
export interface Filter {
  /** Beginnings of stream names, e.g. `inventory-`. */
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

/** Consecutive events that pass the filter. `position` says how far the log has been read: a checkpoint even if `events` is empty. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  /** Whether this was the end of the log when it was read. */
  readonly live: boolean;
}

export interface ReadStreamOptions {
  /** The revision to start from. Default: the first, or backwards the last. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

/** Where an event is in its stream. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

export interface ReadAllOptions {
  readonly filter?: Filter;
  /** Read no further than this position. Default: the end of the log. */
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
 * Thrown by `append` when the reply was lost: the events may have been appended or not. The caller reads the streams
 * again, looks for its `commandId`, and only then decides again.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown when the store can't be reached, and nothing has been written. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/**
 * Thrown when reading or subscribing after a position that this log has not reached: the log was restored from an older
 * backup, and the reader has seen events that are gone. (EventStoreDB never throws it: it can't tell.)
 */
export class BeyondTheEnd extends Error {
  override readonly name = 'BeyondTheEnd';
}

/** The event log: streams of events, and one total order over all of them. */
export interface EventLog {
  /** The log's id, which never changes. Checkpoints, snapshots and position tokens carry it. */
  readonly id: string;

  /**
   * Appends a batch and returns one result an item, in order. Two items of a batch must not name the same stream.
   * Every read that begins after it returned sees the events. Nothing ever appears before an event that was visible already.
   * @throws TypeError for two items on one stream, or one without events
   * @throws EventTooLarge, OutcomeUnknown, LogUnavailable
   */
  append(batch: readonly Append[]): Promise<readonly AppendResult[]>;

  /** The events of one stream; none for a stream that does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;

  /** The events at some places, in the order asked for; a place without an event is left out. At most 1,000 places. */
  readEach(places: readonly EventPlace[]): Promise<readonly RecordedEvent[]>;

  /**
   * The whole log after a position, page by page, up to its end. No database snapshot is held between pages.
   * @throws LogUnavailable, BeyondTheEnd
   */
  readAll(after: Position, options?: ReadAllOptions): AsyncIterable<Batch>;

  /**
   * The log after a position, then new events as they come, each once, until `signal` aborts (which is no error). A batch is
   * read only when the consumer asks for it, so a slow consumer holds nobody up. While the store is away it waits. When it first
   * reaches the end of the log it yields a batch with `live`, even without events.
   * @throws BeyondTheEnd
   */
  subscribe(after: Position, options?: SubscribeOptions): AsyncIterable<Batch>;

  /** The position of the last event; `START` for an empty log. @throws LogUnavailable */
  head(): Promise<Position>;

  /**
   * The highest position that this process knows of, without asking: of its own appends as soon as they have returned, of others'
   * some time after them, while it follows the log. Never beyond the end.
   */
  readonly heard: Position;

  /** Ends all subscriptions and closes the connections. */
  close(): Promise<void>;
}
