import type { AnyAggregate, DomainEvent } from '#domain/kernel/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type Position, type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import type { Outcome } from './acting.ts';
import type { CommandMetrics } from './metrics.ts';
import type { SnapshotStore } from './snapshots.ts';

export interface Source {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly snapshots: SnapshotStore | null;
  readonly metrics: CommandMetrics;
}

export const CHUNK = 512;

/** Milliseconds. A snapshot of tens of thousands of sales blocks for 20 to 60 ms. */
export const SNAPSHOT_REST = 30_000;

interface LostAppend {
  readonly lastId: string;
  readonly events: readonly DomainEvent[];
}

export interface Caller {
  readonly command: unknown;
  readonly context: Context | null;
  /** Undefined if the command may overwrite anything. */
  readonly since?: string | undefined;
  /** A state read after a later caller arrived is fresh enough. */
  readonly arrived: number;
  settle(outcome: Outcome<unknown, DomainEvent>): void;
  fail(error: unknown): void;
  meta?: string;
  lost?: LostAppend[];
}

/** A stream's queue and cached state, which may lag behind the log but is never ahead of it. */
export class StreamQueue {
  readonly stream: string;
  readonly aggregate: AnyAggregate;
  state: unknown;
  revision = -1;
  position: Position = START;
  known = false;
  checkedAt = -1;
  waiting: Caller[] = [];
  running = false;
  outdated = false;
  #snapshotRevision = -1;
  #snapshotAt = Number.NEGATIVE_INFINITY;

  constructor(aggregate: AnyAggregate, stream: string) {
    this.aggregate = aggregate;
    this.stream = stream;
    this.state = aggregate.initial;
  }

  get inUse(): boolean {
    return this.running || this.waiting.length > 0;
  }

  names(subject: string | undefined): boolean {
    const named = this.aggregate.names?.(this.state) ?? null;
    return named !== null && (subject === undefined || named === subject);
  }

  /** All or nothing. Skips known events. */
  async fold(codec: Codec, records: readonly RecordedEvent[]): Promise<void> {
    const fresh = records.filter((record) => record.revision > this.revision);
    const last = fresh.at(-1);
    if (!last) return;
    let { state, revision } = this;
    for (const { event, revision: next, meta } of await codec.decode(fresh)) {
      if (next !== revision + 1) throw new Error(`${this.stream} lacks revision ${revision + 1}`);
      state = this.aggregate.evolve(state, event, meta.at);
      revision = next;
    }
    this.advance(state, revision, last.position);
  }

  advance(state: unknown, revision: number, position: Position): void {
    this.state = state;
    this.revision = revision;
    this.position = position;
    this.known = true;
  }

  reset(): void {
    this.state = this.aggregate.initial;
    this.revision = -1;
    this.position = START;
    this.known = false;
    this.checkedAt = -1;
    this.outdated = false;
  }

  async refresh(
    source: Source,
    arrivals: number,
    onRecords?: (records: readonly RecordedEvent[]) => void,
  ): Promise<boolean> {
    const before = this.revision;
    if (!this.known) await this.#restore(source);
    let chunk: RecordedEvent[] = [];
    const take = async (): Promise<void> => {
      await this.fold(source.codec, chunk);
      onRecords?.(chunk);
      chunk = [];
    };
    for await (const record of source.log.readStream(this.stream, { from: this.revision + 1 })) {
      chunk.push(record);
      if (chunk.length === CHUNK) await take();
    }
    await take();
    this.known = true;
    this.checkedAt = arrivals;
    return this.revision !== before;
  }

  snapshotIfDue({ log, snapshots, metrics }: Source): void {
    const { snapshot } = this.aggregate;
    if (!snapshots || !snapshot || this.revision - this.#snapshotRevision < snapshot.every) return;
    const now = performance.now();
    if (now - this.#snapshotAt < SNAPSHOT_REST) return;
    this.#snapshotAt = now;
    this.#snapshotRevision = this.revision;
    const { stream, revision, position } = this;
    const state = snapshot.toJSON(this.state);
    snapshots
      .save({ logId: log.id, stream, version: snapshot.version, revision, position, state })
      .catch((error) => metrics.snapshotFailed(error));
  }

  async #restore({ log, snapshots, metrics }: Source): Promise<void> {
    const { snapshot } = this.aggregate;
    if (!snapshots || !snapshot) return;
    try {
      const kept = await snapshots.load(log.id, this.stream, snapshot.version);
      if (!kept) return;
      // A restored log may be shorter than the snapshot, or hold other events.
      const [last] = await Array.fromAsync(log.readStream(this.stream, { from: kept.revision, limit: 1 }));
      if (last?.position !== kept.position) return;
      this.advance(snapshot.fromJSON(kept.state), kept.revision, kept.position);
      this.#snapshotRevision = kept.revision;
    } catch (error) {
      metrics.snapshotFailed(error);
      this.reset();
    }
  }
}
