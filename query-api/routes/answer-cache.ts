import type { Position } from '#infra/event-log/event-log.ts';
import type { Serialized } from '#infra/http/route.ts';

/** A whole answer, ready to send. */
export interface CachedAnswer<Value> {
  readonly body: Serialized<Value>;
  readonly headers: Readonly<Record<string, string>>;
}

/** How long an answer is kept, in milliseconds, since some change with time alone: a sale closes at the event's start. */
const OLDEST = 1_000;
const MOST_ENTRIES = 200;

/**
 * Caches answers that are the same for everybody until the read models move on. Equal questions at the same time share an
 * answer. An answer is never older than the position that the read models had when it was asked for.
 */
export class AnswerCache<Value> {
  readonly #entries = new Map<
    string,
    { position: Position; at: number; answer: Promise<CachedAnswer<Value>> }
  >();
  readonly #position: () => Position;
  readonly #now: () => number;

  constructor(position: () => Position, now: () => number) {
    this.#position = position;
    this.#now = now;
  }

  /** The answer to `question`, from the cache or by `make`. Failures are not cached. */
  get(question: string, make: () => Promise<CachedAnswer<Value>>): Promise<CachedAnswer<Value>> {
    const position = this.#position();
    const now = this.#now();
    const known = this.#entries.get(question);
    // Below 0 the clock was put back since, and nobody knows how old it is.
    const age = now - (known?.at ?? 0);
    if (known && known.position === position && age >= 0 && age < OLDEST) return known.answer;
    const answer = make();
    const entry = { position, at: now, answer };
    this.#entries.delete(question);
    this.#entries.set(question, entry);
    answer.catch(() => {
      if (this.#entries.get(question) === entry) this.#entries.delete(question);
    });
    if (this.#entries.size > MOST_ENTRIES) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return answer;
  }
}
