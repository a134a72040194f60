import type { RowId } from './table-store.ts';

/** Row after the last fold. `stored`: whether the database has this key; `undefined` if unknown. */
export interface Entry {
  row: object | undefined;
  stored: boolean | undefined;
}

/**
 * Two generations: use moves a row to the young one; `forgetOld` drops the old one. While nothing was
 * dropped and the table began empty, the cache is `complete`: a miss is not in the database.
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

  get full(): boolean {
    return this.#young.size > this.#limit;
  }

  /** Call only while no write is in progress: a row could be reloaded before it is written. */
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
