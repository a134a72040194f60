/** The log in memory, for specs: as strict as the others, gone with the process. */
import { randomUUID } from 'node:crypto';
import { checkBatch, fromPosition, passes, toPosition } from './batch.ts';
import type {
  Append,
  AppendResult,
  Batch,
  EventLog,
  Filter,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  SubscribeOptions,
} from './event-log.ts';
import { BeyondTheEnd, START } from './event-log.ts';
import { follow, pages, Wakeups } from './follow.ts';

export interface MemoryEventLogOptions {
  /** What `recordedAt` says. Default: the machine's clock. */
  readonly now?: () => Date;
  /** Default: a new one. */
  readonly id?: string;
  /** TESTS ONLY: appends whatever the stream holds, which loses every guarantee that deciders rely on. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

/** Nothing else can write to this log, so a poll would find nothing; it only has to be finite. */
const POLL_MS = 60_000;

export class MemoryEventLog implements EventLog {
  readonly id: string;
  readonly #now: () => Date;
  readonly #unchecked: boolean;
  readonly #events: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #wakeups = new Wakeups();
  readonly #closing = new AbortController();

  constructor(options: MemoryEventLogOptions = {}) {
    this.id = options.id ?? randomUUID();
    this.#now = options.now ?? (() => new Date());
    this.#unchecked = options.unsafelySkipRevisionCheck ?? false;
  }

  async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    checkBatch(batch);
    const results = batch.map((item) => this.#appendOne(item));
    this.#wakeups.wake();
    return results;
  }

  #appendOne({ stream, expected, events }: Append): AppendResult {
    const known = this.#streams.get(stream) ?? [];
    const wanted =
      expected === 'any' || this.#unchecked ? known.length : expected === 'none' ? 0 : expected + 1;
    if (wanted !== known.length) return { ok: false, tail: known.slice(wanted) };
    this.#streams.set(stream, known);
    const now = this.#now().toISOString();
    for (const { id, type, version, data, meta, recordedAt = now } of events) {
      const recorded = Object.freeze({
        id,
        type,
        version,
        data,
        meta,
        stream,
        revision: known.length,
        position: toPosition(this.#events.length + 1),
        recordedAt,
      });
      known.push(recorded);
      this.#events.push(recorded);
    }
    return { ok: true, revision: known.length - 1, position: toPosition(this.#events.length) };
  }

  async *readStream(
    stream: string,
    { from, backwards = false, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions = {},
  ): AsyncGenerator<RecordedEvent, void> {
    const known = this.#streams.get(stream) ?? [];
    const chosen = backwards
      ? known.slice(0, from === undefined ? known.length : from + 1).reverse()
      : known.slice(from ?? 0);
    yield* chosen.slice(0, limit);
  }

  readAll(after: Position, { filter, until, pageSize = 1_000 }: ReadAllOptions = {}): AsyncIterable<Batch> {
    return pages(async (position) => this.#page(position, filter, pageSize, until), after);
  }

  subscribe(
    after: Position,
    { filter, signal, pageSize = 1_000 }: SubscribeOptions = {},
  ): AsyncIterable<Batch> {
    return follow({
      readPage: async (position) => this.#page(position, filter, pageSize),
      after,
      wakeups: this.#wakeups,
      pollMs: POLL_MS,
      signal,
      closing: this.#closing.signal,
    });
  }

  async head(): Promise<Position> {
    return this.#events.at(-1)?.position ?? START;
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #page(after: Position, filter: Filter | undefined, pageSize: number, until?: Position): Batch {
    if (after > (this.#events.at(-1)?.position ?? START))
      throw new BeyondTheEnd(`log ${this.id} ends at ${this.#events.length}, before ${after}`);
    const end = until === undefined ? this.#events.length : Number(fromPosition(until));
    const looked = this.#events.slice(Number(fromPosition(after)), end).slice(0, pageSize);
    const position = looked.at(-1)?.position ?? after;
    return {
      events: filter ? looked.filter((event) => passes(filter, event)) : looked,
      position,
      live: position >= (this.#events.at(-1)?.position ?? START),
    };
  }
}
