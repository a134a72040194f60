/** How many cursors are remembered. */
const MOST = 10_000;

/**
 * The cursors that this process has given to somebody. A page of a list whose reading is recorded is recorded again unless its cursor is
 * one of them: it may be made up, to read without a first page. What another process gave is recorded once too often.
 */
export class GivenCursors {
  readonly #given = new Set<string>();

  /** @param to who asked, and for what */
  give(to: string, cursor: string): void {
    const [oldest] = this.#given;
    if (oldest !== undefined && this.#given.size >= MOST) this.#given.delete(oldest);
    this.#given.add(`${to} ${cursor}`);
  }

  has(to: string, cursor: string): boolean {
    return this.#given.has(`${to} ${cursor}`);
  }
}
