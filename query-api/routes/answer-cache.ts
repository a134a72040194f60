import type { Position } from '#infra/event-log/event-log.ts';
import type { Serialized } from '#infra/http/route.ts';

/** A whole answer, ready to send. */
export interface CachedAnswer<Value> {
  readonly body: Serialized<Value>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What changes with the clock alone (a sale that closes at its start) is at most this late, in milliseconds. */
const OLDEST = 1_000;
const MOST_ENTRIES = 200;

/**
 * Answers that are the same for everybody, kept for as long as the read models stay where they are. Equal
 * questions that come while one is being answered wait for that answer. It never gives one from before
 * the position that the read models were at when it was asked.
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

  /** The answer to `question`, made by `make` where none is good any more. A failure is not kept. */
  get(question: string, make: () => Promise<CachedAnswer<Value>>): Promise<CachedAnswer<Value>> {
    const position = this.#position();
    const now = this.#now();
    const known = this.#entries.get(question);
    if (known && known.position === position && now - known.at < OLDEST) return known.answer;
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
