/**
 * Folds batches of events into rows in memory; the engine writes them. An event changes all the rows that it touches, or none. One
 * that can't be folded is parked: it is put aside with the reason, and so are the later events that touch one of its rows, unless that is a sum.
 */
import { type Codec, isUnreadable, WrittenByNewer } from '#infra/event-log/codec.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import type { Applied, Changed, Key, ProjectedTable, Projection } from './projection.ts';
import { type Entry, RowCache } from './row-cache.ts';
import { type Queryable, quote } from './schema.ts';
import { type RowId, TableStore } from './table-store.ts';

const sqlState = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
};

/** PostgreSQL's classes of errors in the rows themselves: cardinality, data, integrity, program limits. */
const REFUSED = /^(21|22|23|54)/;

/** Whether PostgreSQL would refuse the same rows again. Other failures (a lost connection, no room, a deadlock) may not come again. */
export const refusesRows = (error: unknown): boolean => REFUSED.test(sqlState(error) ?? '');

/** What a failure says, as PostgreSQL can store it. */
export const messageOf = (error: unknown): string =>
  keepable(error instanceof Error ? error.message : String(error));

/** A table with its cached rows, and those of them that changed and wait to be written. */
interface Slot {
  readonly name: string;
  readonly projected: ProjectedTable;
  readonly store: TableStore;
  readonly cache: RowCache;
  readonly blind: 'any' | ReadonlySet<string>;
  readonly dirty: Map<RowId, Entry>;
}

/** An event that touches some tables. `applied` is missing if it could not be decoded, and `failure` says why. */
interface Wanted {
  readonly raw: RecordedEvent;
  readonly slots: readonly Slot[];
  applied?: Applied;
  /** The rows that it touches, in the order of `slots`. */
  rows?: readonly (readonly RowId[])[];
  failure?: string;
}

/** An event that is put aside, with the rows that it touches. */
export interface Parked {
  readonly raw: RecordedEvent;
  readonly keys: readonly string[];
  /** Why it could not be folded; null for an event that only waits behind another one. */
  readonly error: string | null;
}

/** What was folded since the last `collect`: the rows to write and to remove, by table, and the events to park. */
export interface Folded {
  readonly writes: readonly { store: TableStore; rows: readonly object[]; removed: readonly RowId[] }[];
  readonly changed: Changed;
  readonly parked: readonly Parked[];
}

/** Writes what was folded, then what SQL derives from it, in the caller's transaction. */
export const writeFolded = async (
  client: Queryable,
  { writes, changed }: Pick<Folded, 'writes' | 'changed'>,
  { projections, schema }: Pick<FoldingOptions, 'projections' | 'schema'>,
): Promise<void> => {
  for (const { store, rows, removed } of writes) await store.write(client, rows, removed);
  for (const { derive } of projections.flatMap(({ derived = [] }) => derived)) {
    const statement = derive(changed, quote(schema));
    if (statement) await client.query(statement.text, [...statement.values]);
  }
};

export interface FoldingOptions {
  readonly projections: readonly Projection[];
  readonly schema: string;
  readonly codec: Codec;
  /** How many rows of each table are cached. */
  readonly cacheRows: number;
  /** The tables are empty, so that a row that was never written need not be looked for. */
  readonly fromEmpty: boolean;
  /** Whether events that a newer program wrote are parked too, instead of thrown. */
  readonly parksNewer?: boolean;
}

/** The rows of some projections as they are after the events folded so far. */
export class Folding {
  readonly #slots: readonly Slot[];
  readonly #byType = new Map<string, readonly Slot[]>();
  readonly #codec: Codec;
  readonly #parksNewer: boolean;
  /** The rows that parked events touch, as `table/key`, or `stream/name` for events that could not be decoded. Later events of theirs are parked too. */
  readonly #blocked = new Set<string>();
  #parked: Parked[] = [];

  constructor({ projections, schema, codec, cacheRows, fromEmpty, parksNewer = false }: FoldingOptions) {
    this.#codec = codec;
    this.#parksNewer = parksNewer;
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

  /** Forgets all rows. `blocked`: the rows that parked events touch. */
  reset(blocked: Iterable<string>): void {
    this.#blocked.clear();
    for (const key of blocked) this.#blocked.add(key);
    this.forgetRows();
  }

  /** Forgets all rows and everything that was folded since the last `collect`. */
  forgetRows(): void {
    this.#parked = [];
    for (const { cache, dirty } of this.#slots) {
      cache.clear();
      dirty.clear();
    }
  }

  /** Whether more rows are cached than there should be. */
  get full(): boolean {
    return this.#slots.some(({ cache }) => cache.full);
  }

  forgetOld(): void {
    for (const { cache } of this.#slots) if (cache.full) cache.forgetOld();
  }

  /**
   * Folds a batch; `collect` returns the outcome. The rows that it needs are loaded from `database`.
   * @throws a failure of the database or of the key store, which may not come again; WrittenByNewer
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

  /** Parks one event whose rows PostgreSQL refused; `collect` returns it. */
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
      if (!isUnreadable(error) || (error instanceof WrittenByNewer && !this.#parksNewer)) throw error;
      const [only] = wanted;
      if (wanted.length === 1 && only !== undefined) only.failure = messageOf(error);
      else for (const item of wanted) await this.#decode([item]);
    }
  }

  /** The rows that an event touches; worked out the first time. */
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

  /** Loads the rows that the batch needs and that are not cached, with one query for each table. */
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
    // All loads have ended here: one that came late would put old rows into the cache after the caller has begun anew.
    for (const load of loads) if (load.status === 'rejected') throw load.reason;
  }

  /** Folds one event into all the rows that it touches, or into none. Returns why it could not. */
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

  /** Whether an event touches a row that a parked event touches too. */
  #waits(item: Wanted): boolean {
    return this.#blocked.size > 0 && this.#namesOf(item).some((name) => this.#blocked.has(name));
  }

  /** The names under which a parked event holds up later ones: its rows but for sums; also its stream, where its rows are not known. */
  #namesOf(item: Wanted): readonly string[] {
    const rows = this.#plan(item);
    const names = item.slots.flatMap(({ name, projected: { sums } }, index) =>
      sums ? [] : (rows[index] ?? []).map((id) => keepable(`${name}/${id}`)),
    );
    return item.applied === undefined || names.length === 0 || this.#blocked.has(`stream/${item.raw.stream}`)
      ? [...names, `stream/${item.raw.stream}`]
      : names;
  }

  /** Returns what was folded since the last time. From here on it counts as written. */
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
