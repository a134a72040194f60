/** Port to the event log. `tests/conformance/event-log.spec.ts` verifies the guarantees for each adapter. */

/** A place in the log's total order. Opaque, but positions of one log compare as strings. */
export type Position = string;
export const START: Position = '';

export type Expected = number | 'none' | 'any';

export interface NewEvent {
  /** A UUID. A retry with the same id never appends the event twice to one stream. */
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly meta: string;
  /** The original's, when copying another log. */
  readonly recordedAt?: string;
}

export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** ISO 8601, UTC, milliseconds, by our clock or the database's, not EventStoreDB's. */
  readonly recordedAt: string;
}

/** Accepted or refused independently of the batch's other items. Never use `'any'` on a stream that a decider reads. */
export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
}

export interface Appended {
  readonly ok: true;
  readonly revision: number;
  readonly position: Position;
}

/** `tail` holds all events after `expected` (for `'none'`: all), in order. */
export interface Conflict {
  readonly ok: false;
  readonly tail: readonly RecordedEvent[];
}

export type AppendResult = Appended | Conflict;

export interface Filter {
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

/** Consecutive matching events. `position` is a valid checkpoint even without events. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  readonly live: boolean;
}

export interface ReadStreamOptions {
  /** Default: the first revision; backwards: the last. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

export interface ReadAllOptions {
  readonly filter?: Filter;
  /** Inclusive. Default: the end of the log. */
  readonly until?: Position;
  readonly pageSize?: number;
}

export interface SubscribeOptions {
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
  readonly pageSize?: number;
}

/** Bytes of `data` and `meta` together. */
export const LARGEST_EVENT = 256 * 1024;

/** Nothing of the batch was written. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}

/** The events may have been written: look for the `commandId` in the streams before deciding again. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Nothing was written. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/** The log was restored to before the position: the reader saw events that no longer exist. Never thrown by EventStoreDB. */
export class BeyondTheEnd extends Error {
  override readonly name = 'BeyondTheEnd';
}

export interface EventLog {
  /** Never changes: checkpoints, snapshots and position tokens contain it. */
  readonly id: string;

  /**
   * One result per item, in order. Every read that begins after the return sees the events; none becomes
   * visible before an already visible one.
   * @throws TypeError for two items on one stream, or one without events
   * @throws EventTooLarge, OutcomeUnknown, LogUnavailable
   */
  append(batch: readonly Append[]): Promise<readonly AppendResult[]>;

  /** Yields nothing for a stream that does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;

  /** Up to 1,000 places, in their order; skips places without an event. */
  readEach(places: readonly EventPlace[]): Promise<readonly RecordedEvent[]>;

  /**
   * By pages; no database snapshot is held between them.
   * @throws LogUnavailable, BeyondTheEnd
   */
  readAll(after: Position, options?: ReadAllOptions): AsyncIterable<Batch>;

  /**
   * Events after a position, then new ones, each once, until `signal` aborts. A slow consumer blocks no one.
   * Waits while the store is unavailable. Yields a `live` batch, maybe without events, on first reaching the
   * end.
   * @throws BeyondTheEnd
   */
  subscribe(after: Position, options?: SubscribeOptions): AsyncIterable<Batch>;

  /**
   * `START` for an empty log.
   * @throws LogUnavailable
   */
  head(): Promise<Position>;

  /** Known without a query: own appends at once, others with a delay. Never beyond the end. */
  readonly heard: Position;

  close(): Promise<void>;
}
