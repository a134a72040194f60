/** The event log in memory, for specs. It keeps every promise of the port; its events are lost with the process. */
import { randomUUID } from 'node:crypto';
import { checkBatch, fromPosition, passes, toPosition } from '#infra/event-log/batch.ts';
import type {
  Append,
  AppendResult,
  Batch,
  EventLog,
  Position,
  RecordedEvent,
} from '#infra/event-log/event-log.ts';
import { BeyondTheEnd, START } from '#infra/event-log/event-log.ts';
import { PagedLog, type PageOptions } from '#infra/event-log/paged-log.ts';

export interface MemoryEventLogOptions {
  /** The clock for `recordedAt`. Default: the machine's. */
  readonly now?: () => Date;
  /** The log's id. Default: a new one. */
  readonly id?: string;
  /** TESTS ONLY: appends without comparing revisions. It loses every guarantee that deciders rely on. */
  readonly unsafelySkipRevisionCheck?: boolean;
}

export class MemoryEventLog extends PagedLog implements EventLog {
  readonly id: string;
  readonly #now: () => Date;
  readonly #unchecked: boolean;
  readonly #events: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  /** Nothing else can write to this log, so a poll would find nothing; it only has to be finite. */
  protected readonly pollMs = 60_000;

  constructor(options: MemoryEventLogOptions = {}) {
    super();
    this.id = options.id ?? randomUUID();
    this.#now = options.now ?? (() => new Date());
    this.#unchecked = options.unsafelySkipRevisionCheck ?? false;
  }

  async append(batch: readonly Append[]): Promise<readonly AppendResult[]> {
    checkBatch(batch);
    const results = batch.map((item) => this.#appendOne(item));
    this.wakeups.wake();
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
      const position = toPosition(this.#events.length + 1);
      const place = { stream, revision: known.length, position, recordedAt };
      const recorded = Object.freeze({ id, type, version, data, meta, ...place });
      known.push(recorded);
      this.#events.push(recorded);
    }
    const position = toPosition(this.#events.length);
    this.hear(position);
    return { ok: true, revision: known.length - 1, position };
  }

  protected async readStreamPage(stream: string, from: number | undefined, backwards: boolean, size: number) {
    const known = this.#streams.get(stream) ?? [];
    const chosen = backwards
      ? known.slice(0, from === undefined ? known.length : from + 1).reverse()
      : known.slice(from ?? 0);
    return chosen.slice(0, size);
  }

  async head(): Promise<Position> {
    return this.#events.at(-1)?.position ?? START;
  }

  async close(): Promise<void> {
    this.closing.abort();
  }

  protected async readPage(after: Position, { filter, pageSize, until }: PageOptions): Promise<Batch> {
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
