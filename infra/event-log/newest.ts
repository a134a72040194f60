import type { Position } from './event-log.ts';

const MOST = 1_000;

export class Newest<Event extends { readonly position: Position | undefined }> {
  #events: (Event & { readonly position: Position })[] = [];
  #from: Position | undefined;

  get end(): Position | undefined {
    return this.#events.at(-1)?.position ?? this.#from;
  }

  beginAfter(position: Position): void {
    this.#events = [];
    this.#from = position;
  }

  take(event: Event): void {
    const { position } = event;
    if (position === undefined) this.forget();
    else if (this.#from === undefined) this.#from = position;
    else this.#events.push({ ...event, position });
    if (this.#events.length > 2 * MOST) this.#from = this.#events.splice(0, MOST).at(-1)?.position;
  }

  forget(): void {
    this.#events = [];
    this.#from = undefined;
  }

  after(position: Position, count: number): readonly (Event & { readonly position: Position })[] {
    if (this.#from === undefined || position < this.#from) return [];
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + count);
  }
}
