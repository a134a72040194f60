const MOST = 10_000;

/**
 * Cursors issued by this process. Recorded reads are recorded again for unknown cursors, which may be forged
 * to skip the first page. Cursors of other processes are recorded once too often.
 */
export class GivenCursors {
  readonly #given = new Set<string>();

  give(to: string, cursor: string): void {
    const [oldest] = this.#given;
    if (oldest !== undefined && this.#given.size >= MOST) this.#given.delete(oldest);
    this.#given.add(`${to} ${cursor}`);
  }

  has(to: string, cursor: string): boolean {
    return this.#given.has(`${to} ${cursor}`);
  }
}
