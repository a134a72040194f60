import type { KeyRef, SubjectKey } from './key-store.ts';

/** Unambiguous: subjects contain no space. */
const nameOf = (subject: string, version: number): string => `${version} ${subject}`;

interface Held {
  readonly key: SubjectKey;
  readonly since: number;
}

/**
 * LRU cache with a maximum age, which bounds a lost destruction notification. A destroyed key stays gone: a
 * reply already in progress can't bring it back.
 */
export class KeyCache {
  readonly #byName = new Map<string, Held>();
  readonly #newest = new Map<string, Held>();
  readonly #gone = new Set<string>();
  readonly #most: number;
  readonly #freshFor: number;
  readonly #now: () => number;

  constructor(most: number, freshFor: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#freshFor = freshFor;
    this.#now = now;
  }

  get size(): number {
    return this.#byName.size;
  }

  opening(ref: KeyRef): SubjectKey | 'gone' | undefined {
    if (this.#gone.has(ref.subject)) return 'gone';
    return this.#take(this.#byName, nameOf(ref.subject, ref.version));
  }

  sealing(subject: string): SubjectKey | 'gone' | undefined {
    if (this.#gone.has(subject)) return 'gone';
    return this.#take(this.#newest, subject);
  }

  keep(key: SubjectKey, newest: boolean): void {
    if (this.#gone.has(key.subject)) return;
    const held = { key, since: this.#now() };
    this.#put(this.#byName, nameOf(key.subject, key.version), held);
    if (newest) this.#put(this.#newest, key.subject, held);
  }

  markGone(subject: string): void {
    const newest = this.#newest.get(subject);
    this.#newest.delete(subject);
    for (let version = newest?.key.version ?? 1; version > 0; version--)
      this.#byName.delete(nameOf(subject, version));
    this.#gone.add(subject);
    const eldest = this.#gone.size > this.#most ? this.#gone.values().next().value : undefined;
    if (eldest !== undefined) this.#gone.delete(eldest);
  }

  clear(): void {
    this.#byName.clear();
    this.#newest.clear();
  }

  #take(from: Map<string, Held>, name: string): SubjectKey | undefined {
    const held = from.get(name);
    if (!held) return undefined;
    if (this.#now() - held.since > this.#freshFor) {
      from.delete(name);
      return undefined;
    }
    from.delete(name);
    from.set(name, held);
    return held.key;
  }

  #put(into: Map<string, Held>, name: string, held: Held): void {
    into.delete(name);
    into.set(name, held);
    const eldest = into.size > this.#most ? into.keys().next().value : undefined;
    if (eldest !== undefined) into.delete(eldest);
  }
}
