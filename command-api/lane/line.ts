import type { AnyAggregate, DomainEvent } from '#domain/kernel/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type Position, type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import type { Outcome } from './acting.ts';
import type { LaneMetrics } from './metrics.ts';
import type { SnapshotStore } from './snapshots.ts';

/** What a line reads its state from. */
export interface Source {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly snapshots: SnapshotStore | null;
  readonly metrics: LaneMetrics;
}

/** How many events are decoded and folded at a time while a stream is read. */
export const CHUNK = 512;

/**
 * The shortest time from one snapshot of a stream to the next, in milliseconds. A listing with tens of thousands of sales takes 20 to 60 ms
 * to be written, in which nothing else is decided; in a sale it would be due every other second.
 */
export const SNAPSHOT_REST = 30_000;

/** An append whose reply was lost: if an event with this id turns up, the command was recorded. */
interface LostAppend {
  readonly lastId: string;
  readonly events: readonly DomainEvent[];
}

/** Somebody who waits on a line: for the outcome of a command, or (if `context` is null) for the state as of now. */
export interface Caller {
  readonly command: unknown;
  readonly context: Context | null;
  /** The revision of what its form showed (`domain/kernel/revision.ts`); undefined if it may overwrite anything. */
  readonly since?: string | undefined;
  /** Its number among all callers of the lane. A state that was read after a later caller came is new enough for this one. */
  readonly arrived: number;
  settle(outcome: Outcome<unknown, DomainEvent>): void;
  fail(error: unknown): void;
  /** The encoded `meta` of the command's events, once it was made. */
  meta?: string;
  /** Appends of the command whose reply was lost. */
  lost?: LostAppend[];
}

/**
 * A stream with the callers who wait on it. It keeps the state as this process knows it, which may be behind the log but is never
 * ahead of it.
 */
export class Line {
  readonly stream: string;
  readonly aggregate: AnyAggregate;
  state: unknown;
  /** The revision of the last event in `state`; -1 before the first. */
  revision = -1;
  position: Position = START;
  /** False until the stream was read, or an append has confirmed that it did not exist. */
  known = false;
  /** The number of the caller who had come last when the log was last asked about this stream. */
  checkedAt = -1;
  waiting: Caller[] = [];
  /** Whether its callers are being answered at this moment. */
  running = false;
  /** Whether its state is to be forgotten once nobody waits for it. */
  outdated = false;
  #snapshotRevision = -1;
  #snapshotAt = Number.NEGATIVE_INFINITY;

  constructor(aggregate: AnyAggregate, stream: string) {
    this.aggregate = aggregate;
    this.stream = stream;
    this.state = aggregate.initial;
  }

  /** A line in use must not be dropped from the cache. */
  get inUse(): boolean {
    return this.running || this.waiting.length > 0;
  }

  /** Whether the state keeps personal data of this subject, or of anybody if there is none. */
  names(subject: string | undefined): boolean {
    const named = this.aggregate.names?.(this.state) ?? null;
    return named !== null && (subject === undefined || named === subject);
  }

  /** Folds events that were read. Known ones are passed over. If one can't be folded, none is. */
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

  /** Sets the state after an append or from a snapshot. */
  advance(state: unknown, revision: number, position: Position): void {
    this.state = state;
    this.revision = revision;
    this.position = position;
    this.known = true;
  }

  /** Forgets everything, so that the next reading starts at the first event. */
  reset(): void {
    this.state = this.aggregate.initial;
    this.revision = -1;
    this.position = START;
    this.known = false;
    this.checkedAt = -1;
    this.outdated = false;
  }

  /**
   * Reads and folds the events that are not known yet. `arrivals` is the number of the caller who has come last; `onRecords` gets the
   * events after they are folded.
   * @returns whether there were any
   */
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

  /** Saves a snapshot if enough events and time have passed since the last one. Nobody waits for it. */
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
      // A log that was restored from a backup may be shorter than the snapshot, or may have other events.
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
