import type { Position } from './event-log.ts';
import type { Stored } from './eventstoredb-protocol.ts';

/** How many events are kept. Whoever is further behind reads the store. */
const MOST = 1_000;

/** The newest events that the store has pushed, so that those who follow the log need not read them again. */
export class Pushed {
  /** All events after `#from`. */
  #events: (Stored & { readonly position: Position })[] = [];
  /** The place of the first event of a push subscription, or of the last one that was dropped: what stands before is not known. */
  #from: Position | undefined;

  /** Takes the next one. */
  take(stored: Stored): void {
    const { position } = stored;
    if (position === undefined) this.forget();
    else if (this.#from === undefined) this.#from = position;
    else this.#events.push({ ...stored, position });
    if (this.#events.length > 2 * MOST) this.#from = this.#events.splice(0, MOST).at(-1)?.position;
  }

  /** The push subscription has ended: what comes after it is not known. */
  forget(): void {
    this.#events = [];
    this.#from = undefined;
  }

  /** Up to `count` events after a position, without a gap; none if that is not known. */
  after(position: Position, count: number): readonly Stored[] {
    if (this.#from === undefined || position < this.#from) return [];
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + count);
  }
}
