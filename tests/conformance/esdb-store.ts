/**
 * What the loopback EventStoreDB holds: events in one order, with positions that have gaps, and system events
 * between them, as in a real `$all`. Rules of expected revisions, and of repeats by event id, as the product has them.
 *
 * An append is decided by what is written (the product's pre-index). Reads see what is indexed, which may be later; the
 * append is answered then.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** In 100 ns since 1970, as text: the form that the protocol has. */
  readonly created: string;
}

export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export type ExpectedRevision = bigint | 'no_stream' | 'any' | 'stream_exists';

export type StoreResult =
  | { readonly ok: true; readonly revision: bigint; readonly position: bigint }
  | { readonly ok: false; readonly current: bigint | undefined };

const SYSTEM_EVENT_EVERY = 5;

export class EsdbStore {
  /** What reads see of `$all`. */
  readonly all: StoredEvent[] = [];
  /** How long what is written takes until reads see it, in milliseconds; asked for each append. */
  lag: () => number = () => 0;
  readonly #written = new Map<string, StoredEvent[]>();
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #listeners = new Set<() => void>();
  #end = 0n;
  #appends = 0;
  /** Resolves when all that is written is indexed; undefined if it is. */
  #indexing: Promise<void> | undefined;

  constructor() {
    this.#index([this.#write('$settings', systemEvent('$UserCreated'))]);
  }

  stream(name: string): readonly StoredEvent[] {
    return this.#streams.get(name) ?? [];
  }

  /** Called whenever reads see more, until the returned function is called. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A refusal is answered at once. Anything else when reads see it. */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): StoreResult | Promise<StoreResult> {
    const known = this.#written.get(stream) ?? [];
    const current = known.at(-1)?.revision;
    const stands =
      expected === 'any' ||
      (expected === 'no_stream' && current === undefined) ||
      (expected === 'stream_exists' && current !== undefined) ||
      expected === current;
    if (!stands) {
      const last = repeated(known, expected, events);
      if (!last) return { ok: false, current };
      return this.#whenIndexed({ ok: true, revision: last.revision, position: last.position });
    }
    const written = events.map((event) => this.#write(stream, event));
    const last = written.at(-1);
    if (!last) throw new Error('an append of no events');
    this.#appends += 1;
    if (this.#appends % SYSTEM_EVENT_EVERY === 0)
      written.push(this.#write('$stats-127.0.0.1:2113', systemEvent('$statsCollected')));
    const lag = this.lag();
    if (lag === 0 && !this.#indexing) this.#index(written);
    else this.#indexLater(written, lag);
    return this.#whenIndexed({ ok: true, revision: last.revision, position: last.position });
  }

  #whenIndexed(result: StoreResult): StoreResult | Promise<StoreResult> {
    return this.#indexing ? this.#indexing.then(() => result) : result;
  }

  #write(stream: string, event: ProposedEvent): StoredEvent {
    const known = this.#written.get(stream) ?? [];
    this.#written.set(stream, known);
    // A position is a place in a file there: records have lengths, so numbers have gaps.
    const stored = {
      ...event,
      stream,
      revision: BigInt(known.length),
      position: this.#end,
      created: String(BigInt(Date.now()) * 10_000n),
    };
    this.#end += BigInt(97 + stream.length + event.data.length + event.metadata.length);
    known.push(stored);
    return stored;
  }

  /** In the order in which it was written, whatever the lags are. */
  #indexLater(written: readonly StoredEvent[], lag: number): void {
    const before = this.#indexing;
    const done = Promise.all([pause(lag), before]).then(() => {
      this.#index(written);
      if (this.#indexing === done) this.#indexing = undefined;
    });
    this.#indexing = done;
  }

  #index(written: readonly StoredEvent[]): void {
    for (const event of written) {
      const known = this.#streams.get(event.stream) ?? [];
      this.#streams.set(event.stream, known);
      known.push(event);
      this.all.push(event);
    }
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The same events at the same place again are answered as they were the first time: the last of them. */
const repeated = (
  known: readonly StoredEvent[],
  expected: ExpectedRevision,
  events: readonly ProposedEvent[],
): StoredEvent | undefined => {
  const from = typeof expected === 'bigint' ? Number(expected) + 1 : 0;
  const there = known.slice(from, from + events.length);
  return events.every((event, index) => there[index]?.id === event.id) ? there.at(-1) : undefined;
};

const systemEvent = (type: string): ProposedEvent => ({
  id: crypto.randomUUID(),
  type,
  contentType: 'application/json',
  data: new TextEncoder().encode('{}'),
  metadata: new Uint8Array(),
});
