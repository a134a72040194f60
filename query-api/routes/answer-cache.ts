import { LRUCache } from 'lru-cache';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Serialized } from '#infra/http/route.ts';

export interface CachedAnswer<Value> {
  readonly body: Serialized<Value>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Milliseconds; sales close at the event's start, by time alone. */
const OLDEST = 1_000;
const MOST_ENTRIES = 200;

/**
 * Answers that are the same for all callers. Equal concurrent questions share one, which is never older than
 * the read models' position when it was requested.
 */
export class AnswerCache<Value> {
  readonly #entries = new LRUCache<
    string,
    { position: Position; at: number; answer: Promise<CachedAnswer<Value>> }
  >({ max: MOST_ENTRIES });
  readonly #position: () => Position;
  readonly #now: () => number;

  constructor(position: () => Position, now: () => number) {
    this.#position = position;
    this.#now = now;
  }

  /** Failures are not cached. */
  get(question: string, make: () => Promise<CachedAnswer<Value>>): Promise<CachedAnswer<Value>> {
    const position = this.#position();
    const now = this.#now();
    const known = this.#entries.get(question);
    // Negative if the clock was set back. The cache's own `ttl` would then take the answer for new.
    const age = now - (known?.at ?? 0);
    if (known && known.position === position && age >= 0 && age < OLDEST) return known.answer;
    const answer = make();
    const entry = { position, at: now, answer };
    this.#entries.set(question, entry);
    answer.catch(() => {
      if (this.#entries.peek(question) === entry) this.#entries.delete(question);
    });
    return answer;
  }
}
