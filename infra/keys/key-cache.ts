import type { LRUCache } from 'lru-cache';
import { keepsNewest } from '#infra/lib/lru.ts';
import type { KeyRef, SubjectKey } from './key-store.ts';

const nameOf = (subject: string, version: number): string => `${version} ${subject}`;

/** A maximum age bounds a lost destruction notification. A destroyed key stays gone: a reply in progress can't bring it back. */
export class KeyCache {
  readonly #byName: LRUCache<string, SubjectKey>;
  readonly #newest: LRUCache<string, SubjectKey>;
  readonly #gone: LRUCache<string, true>;

  /**
   * @param ttl milliseconds, at least 1
   * @param perf a monotonic clock
   */
  constructor(max: number, ttl: number, perf: { now(): number } = performance) {
    // To the cache, a `ttl` of 0 is no bound. With a resolution of 0 each reading asks the clock.
    const options = { ttl: Math.max(1, ttl), perf, ttlResolution: 0 };
    this.#byName = keepsNewest(max, options);
    this.#newest = keepsNewest(max, options);
    this.#gone = keepsNewest(max);
  }

  opening({ subject, version }: KeyRef): SubjectKey | 'gone' | undefined {
    return this.#gone.has(subject) ? 'gone' : this.#byName.get(nameOf(subject, version));
  }

  sealing(subject: string): SubjectKey | 'gone' | undefined {
    return this.#gone.has(subject) ? 'gone' : this.#newest.get(subject);
  }

  keep(key: SubjectKey, newest: boolean): void {
    if (this.#gone.has(key.subject)) return;
    this.#byName.set(nameOf(key.subject, key.version), key);
    if (newest) this.#newest.set(key.subject, key);
  }

  markGone(subject: string): void {
    const newest = this.#newest.peek(subject, { allowStale: true });
    this.#newest.delete(subject);
    for (let version = newest?.version ?? 1; version > 0; version--)
      this.#byName.delete(nameOf(subject, version));
    this.#gone.set(subject, true);
  }

  clear(): void {
    this.#byName.clear();
    this.#newest.clear();
  }
}
