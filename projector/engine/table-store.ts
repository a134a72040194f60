import type pg from 'pg';
import { arrayLiteral, type Scalar } from '#infra/postgres/array-parameters.ts';
import type { Table } from '#infra/read-models/table.ts';
import type { Key } from './projection.ts';
import { quote } from './schema.ts';

type Cells = Readonly<Record<string, unknown>>;

/** A key usable in a Map: plain for one column, JSON text for several. */
export type RowId = string | number;

/** A table's rows: those in memory, and those in PostgreSQL. */
export class TableStore {
  readonly #columns: readonly (readonly [name: string, type: string])[];
  readonly #instants: readonly string[];
  readonly #key: readonly string[];
  readonly #composite: boolean;
  /** Prepared by name; PostgreSQL replans by itself when schemas are switched. */
  readonly #statements: Readonly<Record<'load' | 'upsert' | 'remove', pg.QueryConfig>>;
  /** After the last fold; `undefined` if the row does not exist. */
  readonly #rows = new Map<RowId, object | undefined>();
  /** The rows that changed since the last `write`, as PostgreSQL has them. */
  readonly #stored = new Map<RowId, object | undefined>();

  constructor(table: Table, schema: string) {
    this.#columns = Object.entries(table.columns).map(([name, { type }]) => [name, type]);
    this.#instants = this.#columns.filter(([, type]) => type === 'timestamptz').map(([name]) => name);
    this.#key = [table.key].flat();
    this.#composite = typeof table.key !== 'string';
    const at = `${quote(schema)}.${quote(table.name)}`;
    const names = this.#columns.map(([name]) => quote(name));
    const arrays = this.#columns.map(([, type], index) => `$${index + 1}::${type}[]`);
    const keys = this.#key.map(quote).join(', ');
    const keyArrays = this.#key.map((name, index) => `$${index + 1}::${table.columns[name]?.type}[]`);
    const among = this.#composite
      ? `(${keys}) IN (SELECT * FROM unnest(${keyArrays.join(', ')}))`
      : `${keys} = ANY(${keyArrays.join()})`;
    const updates = names
      .filter((_, index) => !this.#key.includes(this.#columns[index]?.[0] ?? ''))
      .map((name) => `${name} = excluded.${name}`);
    const prepared = (what: string, text: string) => ({ name: `${schema}-${table.name}-${what}`, text });
    this.#statements = {
      load: prepared('load', `SELECT * FROM ${at} WHERE ${among}`),
      upsert: prepared(
        'upsert',
        `INSERT INTO ${at} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
        ON CONFLICT (${keys}) DO ${updates.length > 0 ? `UPDATE SET ${updates.join(', ')}` : 'NOTHING'}`,
      ),
      remove: prepared('remove', `DELETE FROM ${at} WHERE ${among}`),
    };
  }

  idsOf(keys: readonly Key[]): readonly RowId[] {
    return this.#composite ? keys.map((key) => JSON.stringify(key)) : (keys as readonly RowId[]);
  }

  keyOf(id: RowId): Key {
    return this.#composite ? JSON.parse(String(id)) : id;
  }

  get size(): number {
    return this.#rows.size;
  }

  has(id: RowId): boolean {
    return this.#rows.has(id);
  }

  /** Only of loaded rows. */
  get(id: RowId): object | undefined {
    return this.#rows.get(id);
  }

  set(id: RowId, row: object | undefined): void {
    if (!this.#stored.has(id)) this.#stored.set(id, this.#rows.get(id));
    this.#rows.set(id, row);
  }

  clear(): void {
    this.#rows.clear();
    this.#stored.clear();
  }

  async load(client: pg.PoolClient, ids: readonly RowId[]): Promise<void> {
    for (const id of ids) this.#rows.set(id, undefined);
    const { rows } = await client.query<Record<string, unknown>>({
      ...this.#statements.load,
      values: this.#arrays(ids),
    });
    for (const row of rows) {
      // Instants are ISO text, as folds write them.
      for (const name of this.#instants) {
        const value = row[name];
        if (value instanceof Date) row[name] = value.toISOString();
      }
      const key = this.#key.map((name) => row[name]);
      this.#rows.set(this.#composite ? JSON.stringify(key) : (key[0] as RowId), row);
    }
  }

  /** Resolves to the keys of the changed rows. */
  async write(client: pg.PoolClient): Promise<readonly Key[]> {
    const changed = [...this.#stored.keys()];
    const removed = changed.filter((id) => !this.#rows.get(id) && this.#stored.get(id));
    const rows = changed
      .map((id) => this.#rows.get(id) as Cells | undefined)
      .filter((row) => row !== undefined);
    this.#stored.clear();
    if (rows.length > 0) {
      const values = this.#columns.map(([name, type]) =>
        arrayLiteral(rows.length, (index) => {
          const value = rows[index]?.[name];
          const isJson = type === 'jsonb' && value !== null && value !== undefined;
          return isJson ? JSON.stringify(value) : (value as Scalar);
        }),
      );
      await client.query({ ...this.#statements.upsert, values });
    }
    if (removed.length > 0) await client.query({ ...this.#statements.remove, values: this.#arrays(removed) });
    return this.#composite ? changed.map((id) => this.keyOf(id)) : changed;
  }

  #arrays(ids: readonly RowId[]): string[] {
    const keys = this.#composite ? ids.map((id) => [this.keyOf(id)].flat()) : ids.map((id) => [id]);
    return this.#key.map((_, column) => arrayLiteral(keys.length, (index) => keys[index]?.[column]));
  }
}
