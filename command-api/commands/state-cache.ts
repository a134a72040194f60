import type { LRUCache } from 'lru-cache';
import { keepsNewest } from '#infra/lib/lru.ts';

export interface Cacheable {
  readonly inUse: boolean;
}

export class StateCache<Entry extends Cacheable> {
  readonly #pinned = new Map<string, Entry>();
  readonly #recent: LRUCache<string, Entry>;

  constructor(most: number) {
    this.#recent = keepsNewest<Entry>(most, {
      dispose: (entry, name, reason) => {
        if (reason === 'evict' && entry.inUse) this.#pinned.set(name, entry);
      },
    });
  }

  get size(): number {
    return this.#recent.size + this.#pinned.size;
  }

  take(name: string, make: () => Entry): Entry {
    const recent = this.#recent.get(name);
    if (recent) return recent;
    const entry = this.#pinned.get(name) ?? make();
    for (const [other, { inUse }] of this.#pinned) if (!inUse || other === name) this.#pinned.delete(other);
    this.#recent.set(name, entry);
    return entry;
  }

  *values(): Iterable<Entry> {
    yield* this.#recent.values();
    yield* this.#pinned.values();
  }
}
