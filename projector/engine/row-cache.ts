/** A bounded cache of one table's rows, so that a batch need not load what an earlier one has folded. */
import type { RowId } from './table-store.ts';

/** A row as it is after the last fold. `stored`: whether the database has a row with this key; `undefined` if that is not known. */
export interface Entry {
  row: object | undefined;
  stored: boolean | undefined;
}

/**
 * Rows are kept in two generations. A row that is used moves to the young one; `forgetOld` drops the old one and makes the young
 * one the old one, so that rows in use stay. As long as nothing was dropped from the cache of a table that began empty, it is
 * `complete`: a row that is not here is not in the database.
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

  /** Whether a row that is not here is known not to exist. */
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

  /** Whether it is time for `forgetOld`. */
  get full(): boolean {
    return this.#young.size > this.#limit;
  }

  /** Drops the rows that were not used lately. Call it only while no write is under way: a row could be loaded again before it is written. */
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
