import type { Aggregate, DomainEvent } from '#domain/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import { type EventLog, type Position, type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import type { LaneMetrics } from './metrics.ts';
import type { SnapshotStore } from './snapshots.ts';

export type AnyAggregate = Aggregate<unknown, unknown, DomainEvent>;

/** Where states come from. */
export interface Source {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly snapshots: SnapshotStore | null;
  readonly metrics: LaneMetrics;
}

/** Events decoded and folded at a time while a stream is read. */
const CHUNK = 512;

/** One stream's state as this process knows it: perhaps behind the log, never ahead of it. */
export class StreamState {
  readonly stream: string;
  readonly aggregate: AnyAggregate;
  state: unknown;
  /** Of the last event folded; -1 before the first. */
  revision = -1;
  position: Position = START;
  /** False until it was read once, or an append confirmed the guess that there was no such stream. */
  known = false;
  /** The number of the last arrival before the log was last asked about this stream. */
  checkedAt = -1;
  #snapshotRevision = -1;

  constructor(aggregate: AnyAggregate, stream: string) {
    this.aggregate = aggregate;
    this.stream = stream;
    this.state = aggregate.initial;
  }

  /** Takes in events that were read. Those already known are passed over; all are taken in, or none. */
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

  /** Our own append stands. */
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
  }

  /**
   * Reads what the log has beyond what is known. `arrivals` is the number of the last arrival so far; `onRecords` sees
   * what was read once it is folded.
   * @returns whether anything was new
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

  /** Keeps a snapshot every so many events; nobody waits for it. */
  snapshotIfDue({ log, snapshots, metrics }: Source): void {
    const { snapshot } = this.aggregate;
    if (!snapshots || !snapshot || this.revision - this.#snapshotRevision < snapshot.every) return;
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
      // A log that was restored from an older backup may be shorter, or go on otherwise.
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
