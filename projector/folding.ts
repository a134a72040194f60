/**
 * The middle of the engine: which tables want an event, and folding a batch in memory. An event takes effect
 * on all its rows or on none; one that can't is parked, and later events of its rows behind it.
 */
import type { Codec } from '#infra/event-log/codec.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { keepable, messageOf, refusesBytes } from './failures.ts';
import type { Applied, Changed, Key, Projection, Table } from './projection.ts';
import { type Entry, RowCache } from './row-cache.ts';
import type { Queryable } from './schema.ts';
import { TableStore } from './table-store.ts';

interface Slot {
  readonly table: Table;
  readonly store: TableStore;
  readonly cache: RowCache;
  readonly blind: 'any' | ReadonlySet<string>;
  readonly dirty: Map<Key, Entry>;
}

/** An event that some table wants. `applied` is missing where it could not be decoded. */
interface Wanted {
  readonly raw: RecordedEvent;
  readonly slots: readonly Slot[];
  applied?: Applied;
  /** The rows it touches, slot by slot. */
  keys?: readonly (readonly Key[])[];
  failure?: string;
}

export interface Parked {
  readonly raw: RecordedEvent;
  readonly keys: readonly string[];
  /** Null for an event that waits behind another. */
  readonly error: string | null;
}

/** What has been folded since the last time: rows to write and remove by table, and events to park. */
export interface Folded {
  readonly writes: readonly { store: TableStore; rows: readonly object[]; removed: readonly Key[] }[];
  readonly changed: Changed;
  readonly parked: readonly Parked[];
}

export interface FoldingOptions {
  readonly projections: readonly Projection[];
  readonly schema: string;
  readonly codec: Codec;
  /** Rows kept in hand, a table. */
  readonly cacheRows: number;
  /** The tables are empty now, so a row that was never written need not be looked for. */
  readonly fromEmpty: boolean;
}

export class Folding {
  readonly #slots: readonly Slot[];
  readonly #byType = new Map<string, readonly Slot[]>();
  readonly #codec: Codec;
  /** Rows behind a parked event, as `table/key` (or `stream/name` where it could not even be decoded). */
  readonly #blocked = new Set<string>();
  #parked: Parked[] = [];

  constructor({ projections, schema, codec, cacheRows, fromEmpty }: FoldingOptions) {
    this.#codec = codec;
    this.#slots = projections
      .flatMap(({ tables }) => tables)
      .map((table) => ({
        table,
        store: new TableStore(table, schema),
        cache: new RowCache(cacheRows, fromEmpty),
        blind: table.blind === 'any' ? 'any' : new Set(table.blind),
        dirty: new Map(),
      }));
    for (const slot of this.#slots) {
      for (const type of slot.table.types) this.#byType.set(type, [...(this.#byType.get(type) ?? []), slot]);
    }
  }

  /** Forgets all rows, and takes up the rows that parked events block. */
  reset(blocked: Iterable<string>): void {
    this.#blocked.clear();
    for (const key of blocked) this.#blocked.add(key);
    this.forgetRows();
  }

  /** Forgets all rows: what was folded has not been written. */
  forgetRows(): void {
    this.#parked = [];
    for (const { cache, dirty } of this.#slots) {
      cache.clear();
      dirty.clear();
    }
  }

  /** Whether the rows in hand have become too many. */
  get full(): boolean {
    return this.#slots.some(({ cache }) => cache.full);
  }

  forgetOld(): void {
    for (const { cache } of this.#slots) if (cache.full) cache.forgetOld();
  }

  /**
   * Folds a batch; what it comes to waits for `collect`. Loads what it needs from `database`; passing failures of
   * that or of the key store are thrown.
   */
  async fold(records: readonly RecordedEvent[], database: Queryable): Promise<void> {
    const wanted = this.#wantedOf(records);
    await this.#decode(wanted);
    await this.#load(wanted, database);
    for (const item of wanted) {
      const waits = this.#waits(item);
      const error = waits ? undefined : (item.failure ?? this.#take(item));
      if (!waits && error === undefined) continue;
      const keys = this.#namesOf(item);
      for (const key of keys) this.#blocked.add(key);
      this.#parked.push({ raw: item.raw, keys, error: error ?? null });
    }
  }

  /** Parks one event whose rows PostgreSQL refused; `collect` has it. */
  async park(raw: RecordedEvent, error: unknown): Promise<void> {
    const [item] = this.#wantedOf([raw]);
    if (item === undefined) return;
    await this.#decode([item]);
    const keys = this.#namesOf(item);
    for (const key of keys) this.#blocked.add(key);
    this.#parked.push({ raw, keys, error: messageOf(error) });
  }

  #wantedOf(records: readonly RecordedEvent[]): Wanted[] {
    const wanted: Wanted[] = [];
    for (const raw of records) {
      const slots = this.#byType.get(raw.type);
      if (slots === undefined) continue;
      const picky = slots.some(({ table }) => table.wants !== undefined && !table.wants(raw));
      const wanting = picky ? slots.filter(({ table }) => table.wants?.(raw) !== false) : slots;
      if (wanting.length > 0) wanted.push({ raw, slots: wanting });
    }
    return wanted;
  }

  async #decode(wanted: readonly Wanted[]): Promise<void> {
    try {
      const opened = await this.#codec.decode(wanted.map(({ raw }) => raw));
      wanted.forEach((item, index) => {
        const recorded = opened[index];
        if (recorded !== undefined) item.applied = Object.assign(recorded, { raw: item.raw });
      });
    } catch (error) {
      if (!refusesBytes(error)) throw error;
      const [only] = wanted;
      if (wanted.length === 1 && only !== undefined) only.failure = messageOf(error);
      else for (const item of wanted) await this.#decode([item]);
    }
  }

  /** Works out an event's keys, once. */
  #plan(item: Wanted): readonly (readonly Key[])[] {
    if (item.keys !== undefined) return item.keys;
    const { applied } = item;
    let keys: readonly (readonly Key[])[] = [];
    if (applied !== undefined) {
      try {
        keys = item.slots.map(({ table }) => table.keys(applied));
      } catch (error) {
        item.failure = messageOf(error);
      }
    }
    item.keys = keys;
    return keys;
  }

  /** Brings the rows to hand that the batch needs: one query a table, for those that aren't there. */
  async #load(wanted: readonly Wanted[], database: Queryable): Promise<void> {
    const missing = new Map<Slot, Set<Key>>();
    for (const item of wanted) {
      if (this.#waits(item)) continue;
      const keys = this.#plan(item);
      for (const [index, slot] of item.slots.entries()) {
        const { cache, blind } = slot;
        const unseen = blind === 'any' || blind.has(item.raw.type);
        for (const key of keys[index] ?? []) {
          if (cache.get(key) !== undefined || missing.get(slot)?.has(key)) continue;
          if (cache.complete) cache.set(key, undefined, false);
          else if (unseen) cache.set(key, undefined, undefined);
          else missing.set(slot, (missing.get(slot) ?? new Set()).add(key));
        }
      }
    }
    const loads = await Promise.allSettled(
      [...missing].map(async ([slot, keys]) => {
        const rows = await slot.store.load(database, [...keys]);
        for (const key of keys) slot.cache.set(key, rows.get(key), rows.has(key));
      }),
    );
    // All have ended: none must bring rows to hand once the caller has begun anew.
    for (const load of loads) if (load.status === 'rejected') throw load.reason;
  }

  /** Folds one event into all its rows, or into none. Answers with what went wrong. */
  #take({ slots, keys = [], applied }: Wanted): string | undefined {
    if (applied === undefined) return 'the event was not decoded';
    const next: (() => void)[] = [];
    try {
      for (const [index, slot] of slots.entries()) {
        for (const key of keys[index] ?? []) {
          const entry = slot.cache.get(key);
          if (entry === undefined) throw new Error(`row ${slot.table.name}/${key} was not loaded`);
          const row = slot.table.fold(entry.row, applied, key);
          if (row === entry.row && entry.stored !== undefined) continue;
          next.push(() => {
            entry.row = row;
            slot.dirty.set(key, entry);
          });
        }
      }
    } catch (error) {
      return messageOf(error);
    }
    for (const change of next) change();
    return undefined;
  }

  /** Whether an event is behind a parked one. */
  #waits(item: Wanted): boolean {
    return this.#blocked.size > 0 && this.#namesOf(item).some((name) => this.#blocked.has(name));
  }

  /** What a parked event blocks. */
  #namesOf(item: Wanted): readonly string[] {
    const keys = this.#plan(item);
    const names = item.slots.flatMap(({ table }, index) =>
      (keys[index] ?? []).map((key) => keepable(`${table.name}/${key}`)),
    );
    return item.applied === undefined || names.length === 0 || this.#blocked.has(`stream/${item.raw.stream}`)
      ? [...names, `stream/${item.raw.stream}`]
      : names;
  }

  /** Hands over what has been folded since the last time, as if it were written from here on. */
  collect(): Folded {
    const writes: { store: TableStore; rows: object[]; removed: Key[] }[] = [];
    const changed = new Map<string, readonly Key[]>();
    for (const { table, store, dirty } of this.#slots) {
      if (dirty.size === 0) continue;
      const rows: object[] = [];
      const removed: Key[] = [];
      for (const [key, entry] of dirty) {
        if (entry.row !== undefined) rows.push(entry.row);
        else if (entry.stored !== false) removed.push(key);
        entry.stored = entry.row !== undefined;
      }
      changed.set(table.name, [...dirty.keys()]);
      dirty.clear();
      writes.push({ store, rows, removed });
    }
    const parked = this.#parked;
    this.#parked = [];
    return { writes, changed, parked };
  }
}
