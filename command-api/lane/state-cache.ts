/** What is in use is never dropped. */
export interface Cacheable {
  readonly inUse: boolean;
}

/**
 * The most recently used entries by name. Two generations: what is used moves to the young one, and when that is half of
 * `most`, it becomes the old one, and what was in the old one and not used since is dropped. Cheaper than an exact order,
 * since most uses touch nothing.
 */
export class StateCache<Entry extends Cacheable> {
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();
  readonly #half: number;

  /** `most` entries at the most, those in use not counted. */
  constructor(most: number) {
    this.#half = Math.max(1, most >> 1);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The entry of that name, made if there is none. */
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

  #age(): void {
    const dropped = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    for (const [name, entry] of dropped) if (entry.inUse) this.#young.set(name, entry);
  }
}
