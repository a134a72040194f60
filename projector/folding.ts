/**
 * The middle of the engine: which tables want an event, and folding a batch in memory. An event takes effect
 * on all its rows or on none; one that can't is parked, and later events of its rows behind it.
 */
import { type Codec, SealBroken, UnknownEventType } from '#infra/event-log/codec.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Applied, Changed, Key, ProjectedTable, Projection } from './projection.ts';
import { type Entry, RowCache } from './row-cache.ts';
import type { Queryable } from './schema.ts';
import { type RowId, TableStore } from './table-store.ts';

const sqlState = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
};

/** Cardinality, data, integrity and program limits: PostgreSQL would refuse the same rows again. */
const REFUSED = /^(21|22|23|54)/;

/** Whether PostgreSQL refused the rows themselves. Anything else (a lost connection, no room, a deadlock) passes. */
export const refusesRows = (error: unknown): boolean => REFUSED.test(sqlState(error) ?? '');

/** Whether these bytes can't be decoded, whenever it is tried. A key store that is down passes. */
export const refusesBytes = (error: unknown): boolean =>
  error instanceof UnknownEventType ||
  error instanceof SealBroken ||
  error instanceof SyntaxError ||
  error instanceof TypeError ||
  error instanceof RangeError;

/** As PostgreSQL can keep it: a key may hold a NUL, and the excerpt that an error quotes may be cut within a character. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

export const messageOf = (error: unknown): string =>
  keepable(error instanceof Error ? error.message : String(error));

/** A table at work: its rows in hand, and which of them wait to be written. */
interface Slot {
  readonly name: string;
  readonly projected: ProjectedTable;
  readonly store: TableStore;
  readonly cache: RowCache;
  readonly blind: 'any' | ReadonlySet<string>;
  readonly dirty: Map<RowId, Entry>;
}

/** An event that some table wants. `applied` is missing where it could not be decoded. */
interface Wanted {
  readonly raw: RecordedEvent;
  readonly slots: readonly Slot[];
  applied?: Applied;
  /** The rows it touches, slot by slot. */
  rows?: readonly (readonly RowId[])[];
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
  readonly writes: readonly { store: TableStore; rows: readonly object[]; removed: readonly RowId[] }[];
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
      .map((projected) => ({
        name: projected.table.name,
        projected,
        store: new TableStore(projected.table, schema),
        cache: new RowCache(cacheRows, fromEmpty),
        blind: projected.blind === 'any' ? 'any' : new Set(projected.blind),
        dirty: new Map(),
      }));
    for (const slot of this.#slots) {
      for (const type of slot.projected.types)
        this.#byType.set(type, [...(this.#byType.get(type) ?? []), slot]);
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
      const picky = slots.some(({ projected }) => projected.wants?.(raw) === false);
      const wanting = picky ? slots.filter(({ projected }) => projected.wants?.(raw) !== false) : slots;
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

  /** Works out which rows an event touches, once. */
  #plan(item: Wanted): readonly (readonly RowId[])[] {
    if (item.rows !== undefined) return item.rows;
    const { applied } = item;
    item.rows = [];
    if (applied !== undefined) {
      try {
        item.rows = item.slots.map(({ projected, store }) => store.idsOf(projected.keys(applied)));
      } catch (error) {
        item.failure = messageOf(error);
      }
    }
    return item.rows;
  }

  /** Brings the rows to hand that the batch needs: one query a table, for those that aren't there. */
  async #load(wanted: readonly Wanted[], database: Queryable): Promise<void> {
    const missing = new Map<Slot, Set<RowId>>();
    for (const item of wanted) {
      if (this.#waits(item)) continue;
      const rows = this.#plan(item);
      for (const [index, slot] of item.slots.entries()) {
        const { cache, blind } = slot;
        const unseen = blind === 'any' || blind.has(item.raw.type);
        for (const id of rows[index] ?? []) {
          if (cache.get(id) !== undefined || missing.get(slot)?.has(id)) continue;
          if (cache.complete) cache.set(id, undefined, false);
          else if (unseen) cache.set(id, undefined, undefined);
          else missing.set(slot, (missing.get(slot) ?? new Set()).add(id));
        }
      }
    }
    const loads = await Promise.allSettled(
      [...missing].map(async ([slot, ids]) => {
        const rows = await slot.store.load(database, [...ids]);
        for (const id of ids) slot.cache.set(id, rows.get(id), rows.has(id));
      }),
    );
    // All have ended: none must bring rows to hand once the caller has begun anew.
    for (const load of loads) if (load.status === 'rejected') throw load.reason;
  }

  /** Folds one event into all its rows, or into none. Answers with what went wrong. */
  #take({ slots, rows = [], applied }: Wanted): string | undefined {
    if (applied === undefined) return 'the event was not decoded';
    const next: (() => void)[] = [];
    try {
      for (const [index, slot] of slots.entries()) {
        for (const id of rows[index] ?? []) {
          const entry = slot.cache.get(id);
          if (entry === undefined) throw new Error(`row ${slot.name}/${id} was not loaded`);
          const row = slot.projected.fold(entry.row, applied, slot.store.keyOf(id));
          if (row === entry.row && entry.stored !== undefined) continue;
          next.push(() => {
            entry.row = row;
            slot.dirty.set(id, entry);
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
    const rows = this.#plan(item);
    const names = item.slots.flatMap(({ name }, index) =>
      (rows[index] ?? []).map((id) => keepable(`${name}/${id}`)),
    );
    return item.applied === undefined || names.length === 0 || this.#blocked.has(`stream/${item.raw.stream}`)
      ? [...names, `stream/${item.raw.stream}`]
      : names;
  }

  /** Hands over what has been folded since the last time, as if it were written from here on. */
  collect(): Folded {
    const writes: { store: TableStore; rows: object[]; removed: RowId[] }[] = [];
    const changed = new Map<string, readonly Key[]>();
    for (const { name, store, dirty } of this.#slots) {
      if (dirty.size === 0) continue;
      const rows: object[] = [];
      const removed: RowId[] = [];
      for (const [id, entry] of dirty) {
        if (entry.row !== undefined) rows.push(entry.row);
        else if (entry.stored !== false) removed.push(id);
        entry.stored = entry.row !== undefined;
      }
      changed.set(name, store.keysOf([...dirty.keys()]));
      dirty.clear();
      writes.push({ store, rows, removed });
    }
    const parked = this.#parked;
    this.#parked = [];
    return { writes, changed, parked };
  }
}
