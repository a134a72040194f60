/**
 * What the loopback EventStoreDB holds: events in one order, with positions that have gaps, and system events
 * between them, as in a real `$all`. Rules of expected revisions, and of repeats by event id, as the product has them.
 */

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
  readonly all: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #listeners = new Set<() => void>();
  #end = 0n;

  constructor() {
    this.#system('$settings', '$UserCreated');
  }

  stream(name: string): readonly StoredEvent[] {
    return this.#streams.get(name) ?? [];
  }

  /** Called after each append, until the returned function is called. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  append(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): StoreResult {
    const known = this.#streams.get(stream) ?? [];
    const current = known.at(-1)?.revision;
    const stands =
      expected === 'any' ||
      (expected === 'no_stream' && current === undefined) ||
      (expected === 'stream_exists' && current !== undefined) ||
      expected === current;
    if (!stands) return this.#repeated(known, expected, events) ?? { ok: false, current };
    for (const event of events) this.#add(stream, event);
    if (this.all.length % SYSTEM_EVENT_EVERY === 0) this.#system('$stats-127.0.0.1:2113', '$statsCollected');
    for (const listener of [...this.#listeners]) listener();
    const last = this.stream(stream).at(-1);
    if (!last) throw new Error('an append of no events');
    return { ok: true, revision: last.revision, position: last.position };
  }

  /** The same events at the same place again are answered as they were the first time. */
  #repeated(
    known: readonly StoredEvent[],
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): StoreResult | undefined {
    const from = typeof expected === 'bigint' ? Number(expected) + 1 : 0;
    const there = known.slice(from, from + events.length);
    const last = there.at(-1);
    return last && events.every((event, index) => there[index]?.id === event.id)
      ? { ok: true, revision: last.revision, position: last.position }
      : undefined;
  }

  #add(stream: string, event: ProposedEvent): void {
    const known = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, known);
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
    this.all.push(stored);
  }

  #system(stream: string, type: string): void {
    const data = new TextEncoder().encode('{}');
    this.#add(stream, {
      id: crypto.randomUUID(),
      type,
      contentType: 'application/json',
      data,
      metadata: new Uint8Array(),
    });
  }
}
