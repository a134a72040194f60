/** The rows of one table that the engine has in hand between batches, bounded. */
import type { RowId } from './table-store.ts';

/** A row as it is or will be. `stored`: whether the database has one under this key; `undefined` means unknown. */
export interface Entry {
  row: object | undefined;
  stored: boolean | undefined;
}

/**
 * Two generations: what was not touched for a whole generation is forgotten, so that hot rows stay. `complete`
 * (tables that began empty, as in a rebuild) means that a key which isn't here isn't in the database either; it
 * ends with the first forgetting.
 */
export class RowCache {
  readonly #limit: number;
  #complete: boolean;
  #young = new Map<RowId, Entry>();
  #old = new Map<RowId, Entry>();

  constructor(limit: number, complete: boolean) {
    this.#limit = limit;
    this.#complete = complete;
  }

  /** Whether a key that is not here is known to have no row. */
  get complete(): boolean {
    return this.#complete;
  }

  get(id: RowId): Entry | undefined {
    const entry = this.#young.get(id);
    if (entry !== undefined || this.#old.size === 0) return entry;
    const old = this.#old.get(id);
    if (old !== undefined) {
      this.#old.delete(id);
      this.#young.set(id, old);
    }
    return old;
  }

  set(id: RowId, row: object | undefined, stored: boolean | undefined): Entry {
    const entry: Entry = { row, stored };
    this.#young.set(id, entry);
    return entry;
  }

  /** Whether it is time to forget. */
  get full(): boolean {
    return this.#young.size > this.#limit;
  }

  /** Forgets what was not touched lately. Only while no write is under way: what it wrote might be read back too early. */
  forgetOld(): void {
    if (this.#old.size > 0) this.#complete = false;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#complete = false;
    this.#young = new Map();
    this.#old = new Map();
  }
}
