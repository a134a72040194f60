import { arrayLiteral, type Scalar } from '#infra/postgres/array-parameters.ts';
import type { Table } from '#infra/read-models/table.ts';
import type { Key } from './projection.ts';
import { type Queryable, quote } from './schema.ts';

type Cells = Readonly<Record<string, unknown>>;

const column = (type: string, rows: readonly Cells[], name: string): string =>
  arrayLiteral(rows.length, (index) => {
    const value = rows[index]?.[name];
    return type === 'jsonb' && value !== null && value !== undefined
      ? JSON.stringify(value)
      : (value as Scalar);
  });

/** Prepared by name; PostgreSQL replans by itself when schemas are switched. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

/** A key usable in a Map: plain for one column, JSON text for several. */
export type RowId = string | number;

export class TableStore {
  readonly #columns: readonly (readonly [name: string, type: string])[];
  readonly #instants: readonly string[];
  readonly #key: readonly string[];
  readonly #composite: boolean;
  readonly #load: Prepared;
  readonly #write: Prepared;
  readonly #remove: Prepared;

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
    const prepared = (what: string, text: string): Prepared => ({
      name: `${schema}-${table.name}-${what}`,
      text,
    });
    this.#load = prepared('load', `SELECT * FROM ${at} WHERE ${among}`);
    this.#remove = prepared('remove', `DELETE FROM ${at} WHERE ${among}`);
    this.#write = prepared(
      'write',
      `INSERT INTO ${at} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
      ON CONFLICT (${keys}) DO ${updates.length > 0 ? `UPDATE SET ${updates.join(', ')}` : 'NOTHING'}`,
    );
  }

  idsOf(keys: readonly Key[]): readonly RowId[] {
    return this.#composite ? keys.map((key) => JSON.stringify(key)) : (keys as readonly RowId[]);
  }

  keysOf(ids: readonly RowId[]): readonly Key[] {
    return this.#composite ? ids.map((id) => this.keyOf(id)) : ids;
  }

  keyOf(id: RowId): Key {
    return this.#composite ? JSON.parse(String(id)) : id;
  }

  #parameters(ids: readonly RowId[]): unknown[] {
    if (!this.#composite) return [ids];
    const keys = ids.map((id) => [this.keyOf(id)].flat());
    return this.#key.map((_, index) => keys.map((values) => values[index]));
  }

  /** By id. Instants are ISO text, as folds write them. */
  async load(database: Queryable, ids: readonly RowId[]): Promise<Map<RowId, object>> {
    const { rows } = await database.query<Record<string, unknown>>({
      ...this.#load,
      values: this.#parameters(ids),
    });
    for (const row of rows) {
      for (const name of this.#instants) {
        const value = row[name];
        if (value instanceof Date) row[name] = value.toISOString();
      }
    }
    const [first = ''] = this.#key;
    const keyIn = (row: Cells) => (this.#composite ? this.#key.map((name) => row[name]) : row[first]) as Key;
    const found = this.idsOf(rows.map(keyIn));
    return new Map(found.map((id, index) => [id, rows[index] ?? {}]));
  }

  async write(database: Queryable, rows: readonly object[], removed: readonly RowId[]): Promise<void> {
    if (rows.length > 0) {
      const cells = rows as readonly Cells[];
      const values = this.#columns.map(([name, type]) => column(type, cells, name));
      await database.query({ ...this.#write, values });
    }
    if (removed.length > 0) {
      await database.query({ ...this.#remove, values: this.#parameters(removed) });
    }
  }
}
