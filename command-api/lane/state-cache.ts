/** An entry of the cache. It is never dropped while it is in use. */
export interface Cacheable {
  readonly inUse: boolean;
}

/**
 * Keeps the most recently used entries by name, in two generations. An entry that is used moves to the young generation. When that
 * holds half of `most`, it becomes the old one, and the entries of the former old one are dropped. This is faster than an exact
 * order, since most uses change nothing.
 */
export class StateCache<Entry extends Cacheable> {
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  readonly #half: number;

  /** Keeps up to `most` entries, and more while they are in use. */
  constructor(most: number) {
    this.#half = Math.max(1, most >> 1);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Returns the entry of that name; makes it if there is none. */
  take(name: string, make: () => Entry): Entry {
    const young = this.#young.get(name);
    if (young) return young;
    const known = this.#old.get(name);
    if (known) this.#old.delete(name);
    else if (this.#young.size >= this.#half) this.#age();
    const entry = known ?? make();
    this.#young.set(name, entry);
    return entry;
  }

  /** All entries. */
  *values(): Iterable<Entry> {
    yield* this.#young.values();
    yield* this.#old.values();
  }

  #age(): void {
    const dropped = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    for (const [name, entry] of dropped) if (entry.inUse) this.#young.set(name, entry);
  }
}
