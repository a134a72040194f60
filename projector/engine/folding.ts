/**
 * Loads the rows that events change, folds, and writes. An event changes all its rows or none. An event that
 * can't be folded is parked, and so are later events that touch its rows, except sums.
 */
import pg from 'pg';
import { type Codec, isUnreadable, WrittenByNewer } from '#infra/event-log/codec.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import type { Applied, Changed, Key, ProjectedTable, Projection } from './projection.ts';
import { quote } from './schema.ts';
import { type RowId, TableStore } from './table-store.ts';

/** SQLSTATE classes: cardinality, data, integrity, program limits. Other failures may be transient. */
const REFUSED = /^(21|22|23|54)/;

/** Whether PostgreSQL would refuse the rows each time. */
export const refusesRows = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && REFUSED.test(error.code ?? '');

const messageOf = (error: unknown): string =>
  keepable(error instanceof Error ? error.message : String(error));

interface FoldedTable {
  readonly projected: ProjectedTable;
  readonly store: TableStore;
}

/** A decoded event, and the rows that it touches. */
export interface Decoded {
  readonly raw: RecordedEvent;
  readonly applied?: Applied;
  readonly touched: readonly { readonly table: FoldedTable; readonly ids: readonly RowId[] }[];
  /** Why it can't be folded. */
  readonly failure?: string;
}

export interface Parked {
  readonly raw: RecordedEvent;
  /** What it holds up: rows as `table/key`, or `stream/name` if its rows are unknown. */
  readonly keys: readonly string[];
  /** Null if it waits behind another. */
  readonly error: string | null;
}

export interface Taken {
  readonly changed: Changed;
  readonly parked: readonly Parked[];
}

export interface FoldingOptions {
  readonly projections: readonly Projection[];
  readonly schema: string;
  readonly codec: Codec;
  /** A table with more rows in memory drops them before the next batch. Default 20,000. */
  readonly mostRows?: number | undefined;
  /** Park events of newer programs instead of throwing. */
  readonly parksNewer?: boolean;
}

export const failed = (event: Decoded, error: unknown): Decoded => ({ ...event, failure: messageOf(error) });

const keysOf = ({ touched, raw }: Decoded, held: ReadonlySet<string>): readonly string[] => {
  const rows = touched.flatMap(({ table: { projected }, ids }) =>
    projected.sums ? [] : ids.map((id) => keepable(`${projected.table.name}/${id}`)),
  );
  const stream = `stream/${raw.stream}`;
  return rows.length === 0 || held.has(stream) ? [...rows, stream] : rows;
};

const waits = (event: Decoded, held: ReadonlySet<string>): boolean =>
  held.size > 0 && keysOf(event, held).some((key) => held.has(key));

/** Changes the rows in memory. Returns why it could not. */
const fold = ({ applied, touched }: Decoded): string | undefined => {
  const changes: (() => void)[] = [];
  try {
    for (const { table, ids } of touched) {
      const { projected, store } = table;
      for (const id of ids) {
        const before = store.get(id);
        const row = projected.fold(before, applied as Applied, store.keyOf(id));
        if (row !== before) changes.push(() => store.set(id, row));
      }
    }
  } catch (error) {
    return messageOf(error);
  }
  for (const change of changes) change();
  return undefined;
};

export class Folding {
  readonly #options: FoldingOptions;
  readonly #tables: readonly FoldedTable[];
  readonly #byType = new Map<string, readonly FoldedTable[]>();

  constructor(options: FoldingOptions) {
    const { projections, schema } = options;
    this.#options = options;
    this.#tables = projections
      .flatMap(({ tables }) => tables)
      .map((projected) => ({ projected, store: new TableStore(projected.table, schema) }));
    for (const table of this.#tables)
      for (const type of table.projected.types)
        this.#byType.set(type, [...(this.#byType.get(type) ?? []), table]);
  }

  /** Drops all rows from memory. Call after a rollback. */
  clear(): void {
    for (const { store } of this.#tables) store.clear();
  }

  /**
   * Leaves out events that touch no table.
   * @throws WrittenByNewer; failures of the key store
   */
  async decode(records: readonly RecordedEvent[]): Promise<readonly Decoded[]> {
    const { codec, parksNewer } = this.#options;
    const wanted = records.flatMap((raw) => {
      const tables = this.#byType.get(raw.type)?.filter(({ projected }) => projected.wants?.(raw) !== false);
      return tables?.length ? [{ raw, tables }] : [];
    });
    try {
      const decoded = await codec.decode(wanted.map(({ raw }) => raw));
      return wanted.flatMap(({ raw, tables }, index) => {
        const recorded = decoded[index];
        return recorded ? [this.#planned(Object.assign(recorded, { raw }), tables)] : [];
      });
    } catch (error) {
      if (!isUnreadable(error) || (error instanceof WrittenByNewer && !parksNewer)) throw error;
      const [only, ...others] = wanted;
      if (only && others.length === 0) return [failed({ raw: only.raw, touched: [] }, error)];
      const each: Decoded[] = [];
      for (const { raw } of wanted) each.push(...(await this.decode([raw])));
      return each;
    }
  }

  #planned(applied: Applied, tables: readonly FoldedTable[]): Decoded {
    const { raw } = applied;
    try {
      const touched = tables.map((table) => ({
        table,
        ids: table.store.idsOf(table.projected.keys(applied)),
      }));
      return { raw, applied, touched };
    } catch (error) {
      return failed({ raw, applied, touched: [] }, error);
    }
  }

  /**
   * Changes the rows in the caller's transaction.
   * @param blocked keys of the parked events
   * @throws failures of PostgreSQL
   */
  async take(
    client: pg.PoolClient,
    events: readonly Decoded[],
    blocked: ReadonlySet<string>,
  ): Promise<Taken> {
    const held = new Set(blocked);
    await this.#load(
      client,
      events.filter((event) => event.failure === undefined && !waits(event, held)),
    );
    const parked: Parked[] = [];
    for (const event of events) {
      const error = waits(event, held) ? null : (event.failure ?? fold(event));
      if (error === undefined) continue;
      const keys = keysOf(event, held);
      for (const key of keys) held.add(key);
      parked.push({ raw: event.raw, keys, error });
    }
    return { changed: await this.#write(client), parked };
  }

  async #load(client: pg.PoolClient, events: readonly Decoded[]): Promise<void> {
    const { mostRows = 20_000 } = this.#options;
    const missing = new Map(this.#tables.map(({ store }) => [store, new Set<RowId>()]));
    for (const { store } of this.#tables) if (store.size > mostRows) store.clear();
    for (const { touched } of events)
      for (const { table, ids } of touched)
        for (const id of ids) if (!table.store.has(id)) missing.get(table.store)?.add(id);
    for (const [store, ids] of missing) if (ids.size > 0) await store.load(client, [...ids]);
  }

  async #write(client: pg.PoolClient): Promise<Changed> {
    const { projections, schema } = this.#options;
    const changed = new Map<string, readonly Key[]>();
    for (const { projected, store } of this.#tables) {
      const keys = await store.write(client);
      if (keys.length > 0) changed.set(projected.table.name, keys);
    }
    for (const { derive } of projections.flatMap(({ derived = [] }) => derived)) {
      const statement = derive(changed, quote(schema));
      if (statement) await client.query(statement.text, [...statement.values]);
    }
    return changed;
  }
}
