/** One table's way in and out of PostgreSQL: rows by key in one query, and changed rows in one statement. */
import { arrayLiteral, type Scalar } from '#infra/postgres/array-parameters.ts';
import type { Key, Table } from './projection.ts';
import { type Queryable, quote } from './schema.ts';

/** Rows are typed where they are folded; here they are columns and values. */
type Cells = Readonly<Record<string, unknown>>;

/** A whole column as one parameter. */
const column = (type: string, rows: readonly Cells[], name: string): string =>
  arrayLiteral(rows.length, (index) => {
    const value = rows[index]?.[name];
    return type === 'jsonb' && value !== null && value !== undefined
      ? JSON.stringify(value)
      : (value as Scalar);
  });

/** PostgreSQL keeps its plan by name; it plans anew by itself when schemas are switched. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

export class TableStore {
  readonly table: Table;
  readonly #types: ReadonlyMap<string, string>;
  readonly #instants: readonly string[];
  readonly #load: Prepared;
  readonly #write: Prepared;
  readonly #remove: Prepared;

  constructor(table: Table, schema: string) {
    this.table = table;
    const columns = Object.entries(table.columns as Record<string, string>);
    this.#types = new Map(columns.map(([name, type]) => [name, type.replace('?', '')]));
    this.#instants = [...this.#types].filter(([, type]) => type === 'timestamptz').map(([name]) => name);
    const at = `${quote(schema)}.${quote(table.name)}`;
    const key = quote(table.key);
    const names = [...this.#types.keys()];
    const arrays = [...this.#types.values()].map((type, index) => `$${index + 1}::${type}[]`);
    const updates = names
      .filter((name) => name !== table.key)
      .map((name) => `${quote(name)} = excluded.${quote(name)}`);
    const keys = `$1::${this.#types.get(table.key)}[]`;
    const prepared = (what: string, text: string): Prepared => ({
      name: `${schema}-${table.name}-${what}`,
      text,
    });
    this.#load = prepared('load', `SELECT * FROM ${at} WHERE ${key} = ANY(${keys})`);
    this.#remove = prepared('remove', `DELETE FROM ${at} WHERE ${key} = ANY(${keys})`);
    this.#write = prepared(
      'write',
      `INSERT INTO ${at} (${names.map(quote).join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
      ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`,
    );
  }

  /** The rows that exist, by key, as folds know them: instants as ISO text. */
  async load(database: Queryable, keys: readonly Key[]): Promise<Map<Key, object>> {
    const { rows } = await database.query<Record<string, unknown>>({ ...this.#load, values: [keys] });
    for (const row of rows) {
      for (const name of this.#instants) {
        const value = row[name];
        if (value instanceof Date) row[name] = value.toISOString();
      }
    }
    return new Map(rows.map((row) => [row[this.table.key] as Key, row]));
  }

  /** Writes rows back, and removes others. */
  async write(database: Queryable, rows: readonly object[], removed: readonly Key[]): Promise<void> {
    if (rows.length > 0) {
      const cells = rows as readonly Cells[];
      const values = [...this.#types].map(([name, type]) => column(type, cells, name));
      await database.query({ ...this.#write, values });
    }
    if (removed.length > 0) await database.query({ ...this.#remove, values: [removed] });
  }
}
