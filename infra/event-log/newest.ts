import type { Position } from './event-log.ts';

/** How many events are kept. Whoever is further behind reads the store. */
const MOST = 1_000;

/**
 * The newest events that a process knows without having read them, because the store has pushed them or the process has appended them
 * itself. There is no gap between them, so that those who follow the log need not read them again.
 */
export class Newest<Event extends { readonly position: Position | undefined }> {
  /** All events after `#from`. */
  #events: (Event & { readonly position: Position })[] = [];
  /** What stands up to there is not known. */
  #from: Position | undefined;

  /** Where the last one stands; undefined while nothing is known. */
  get end(): Position | undefined {
    return this.#events.at(-1)?.position ?? this.#from;
  }

  /** Forgets all, and begins after a position. */
  beginAfter(position: Position): void {
    this.#events = [];
    this.#from = position;
  }

  /** Takes the next one. The first one after all was forgotten only says where the others begin. */
  take(event: Event): void {
    const { position } = event;
    if (position === undefined) this.forget();
    else if (this.#from === undefined) this.#from = position;
    else this.#events.push({ ...event, position });
    if (this.#events.length > 2 * MOST) this.#from = this.#events.splice(0, MOST).at(-1)?.position;
  }

  /** There may be events that are not known: what comes next can't be told to follow. */
  forget(): void {
    this.#events = [];
    this.#from = undefined;
  }

  /** Up to `count` events after a position, without a gap; none if that is not known. */
  after(position: Position, count: number): readonly (Event & { readonly position: Position })[] {
    if (this.#from === undefined || position < this.#from) return [];
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + count);
  }
}
