/** Declares the tables of the read models: once, for the projector that makes and fills them and for the queries that read them. */

/** ISO 8601, UTC, milliseconds: `2026-11-21T19:30:00.000Z`. */
export type Instant = string;

/** Turns the instants of a row just read into ISO text, in place. */
export const toIsoInstants = <Row extends object>(row: Row): Row => {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Date) Reflect.set(row, name, value.toISOString());
  }
  return row;
};

/** A column. `Value` is the type that folds write into it and queries read from it. */
export interface Column<Value = unknown> {
  readonly type: 'integer' | 'numeric' | 'text' | 'boolean' | 'uuid' | 'timestamptz' | 'jsonb' | 'tsvector';
  readonly nullable: boolean;
  /** Whether it holds personal plaintext: PostgreSQL then keeps no statistics of it, which are copies of values. */
  readonly personal?: true;
  /** Never set: it carries the type for inference. */
  readonly value?: Value;
}

const column = <Value>(type: Column['type']): Column<Value> => ({ type, nullable: false });

export const integer = (): Column<number> => column('integer');
/** PostgreSQL's `numeric`. Its values are text, so that nothing is rounded. */
export const numeric = (): Column<string> => column('numeric');
/** Text. `Value` may name the only texts that it can be. */
export const text = <Value extends string = string>(): Column<Value> => column('text');
export const boolean = (): Column<boolean> => column('boolean');
export const uuid = (): Column<string> => column('uuid');
export const instant = (): Column<Instant> => column('timestamptz');
export const json = <Value>(): Column<Value> => column('jsonb');
/** A `tsvector`, for search. Only SQL can write it. */
export const searchable = (): Column<string> => column('tsvector');
/** A column that may be null. */
export const optional = <Value>(of: Column<Value>): Column<Value | null> => ({ ...of, nullable: true });

/** A column of personal plaintext. */
export const personal = <Value>(of: Column<Value>): Column<Value> => ({ ...of, personal: true });

type Columns = Readonly<Record<string, Column>>;

/** A declared table. `K` is the name of its key column, or their names where the key has several columns. */
export interface Table<
  Name extends string = string,
  C extends Columns = Columns,
  K extends string | readonly string[] = string | readonly string[],
> {
  readonly name: Name;
  readonly columns: C;
  readonly key: K;
  /** Each is what follows `CREATE INDEX ON table`, e.g. `(user_id, placed_at)`. A rebuild makes indexes after the load. */
  readonly indexes: readonly string[];
}

/**
 * Declares a table.
 *
 * @example const visitTable = table('visit', { key: ['day', 'listing_id'], columns: { day: text(), listing_id: integer() } })
 */
export const table = <
  const Name extends string,
  C extends Columns,
  const K extends (keyof C & string) | readonly (keyof C & string)[],
>(
  name: Name,
  declared: { readonly key: K; readonly columns: C; readonly indexes?: readonly string[] },
): Table<Name, C, K> => ({ name, indexes: [], ...declared });

type ValueOf<C> = C extends Column<infer Value> ? Value : never;

/** A row of a declared table. */
export type RowOf<T> =
  T extends Table<string, infer C, string | readonly string[]>
    ? { -readonly [Name in keyof C]: ValueOf<C[Name]> }
    : never;

/** The key of a row: a plain value where one column is the key, else the values of its columns in their order. */
export type KeyOf<T> =
  T extends Table<string, infer C, infer K>
    ? K extends readonly string[]
      ? { readonly [Index in keyof K]: ValueOf<C[K[Index] & keyof C]> }
      : ValueOf<C[K & keyof C]>
    : never;
