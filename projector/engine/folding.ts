/**
 * An event changes all its rows or none. If it can't be folded, it is parked, as are later events that touch
 * its rows, except sums.
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

/** SQLSTATE classes: cardinality, data, integrity, program limits. */
const REFUSED = /^(21|22|23|54)/;

/** Permanent failures; others (lost connection, no space, deadlock) may be transient. */
export const refusesRows = (error: unknown): boolean => REFUSED.test(sqlState(error) ?? '');

export const messageOf = (error: unknown): string =>
  keepable(error instanceof Error ? error.message : String(error));

interface Slot {
  readonly name: string;
  readonly projected: ProjectedTable;
  readonly store: TableStore;
  readonly cache: RowCache;
  readonly blind: 'any' | ReadonlySet<string>;
  readonly dirty: Map<RowId, Entry>;
}

interface Wanted {
  readonly raw: RecordedEvent;
  readonly slots: readonly Slot[];
  applied?: Applied;
  rows?: readonly (readonly RowId[])[];
  failure?: string;
}

export interface Parked {
  readonly raw: RecordedEvent;
  readonly keys: readonly string[];
  readonly error: string | null;
}

export interface Folded {
  readonly writes: readonly { store: TableStore; rows: readonly object[]; removed: readonly RowId[] }[];
  readonly changed: Changed;
  readonly parked: readonly Parked[];
}

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
  readonly cacheRows: number;
  readonly fromEmpty: boolean;
  /** Park events of newer programs instead of throwing. */
  readonly parksNewer?: boolean;
}

export class Folding {
  readonly #slots: readonly Slot[];
  readonly #byType = new Map<string, readonly Slot[]>();
  readonly #codec: Codec;
  readonly #parksNewer: boolean;
  /**
   * Rows blocked by parked events, as `table/key`, or `stream/name` if undecodable. Later events that touch
   * them are parked too.
   */
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

  reset(blocked: Iterable<string>): void {
    this.#blocked.clear();
    for (const key of blocked) this.#blocked.add(key);
    this.forgetRows();
  }

  forgetRows(): void {
    this.#parked = [];
    for (const { cache, dirty } of this.#slots) {
      cache.clear();
      dirty.clear();
    }
  }

  get full(): boolean {
    return this.#slots.some(({ cache }) => cache.full);
  }

  forgetOld(): void {
    for (const { cache } of this.#slots) if (cache.full) cache.forgetOld();
  }

  /**
   * Loads missing rows from `database`; see `collect`.
   * @throws transient failures of database or key store; WrittenByNewer
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
    // Await all loads: a late one would put stale rows into the cache after the caller has restarted.
    for (const load of loads) if (load.status === 'rejected') throw load.reason;
  }

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

  #waits(item: Wanted): boolean {
    return this.#blocked.size > 0 && this.#namesOf(item).some((name) => this.#blocked.has(name));
  }

  /** Names by which a parked event blocks later ones: its rows except sums, or its stream if the rows are unknown. */
  #namesOf(item: Wanted): readonly string[] {
    const rows = this.#plan(item);
    const names = item.slots.flatMap(({ name, projected: { sums } }, index) =>
      sums ? [] : (rows[index] ?? []).map((id) => keepable(`${name}/${id}`)),
    );
    return item.applied === undefined || names.length === 0 || this.#blocked.has(`stream/${item.raw.stream}`)
      ? [...names, `stream/${item.raw.stream}`]
      : names;
  }

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
