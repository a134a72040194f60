/** ISO 8601, UTC, milliseconds: `2026-11-21T19:30:00.000Z`. */
export type Instant = string;

export const toIsoInstants = <Row extends object>(row: Row): Row => {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Date) Reflect.set(row, name, value.toISOString());
  }
  return row;
};

export interface Column<Value = unknown> {
  readonly type: 'integer' | 'numeric' | 'text' | 'boolean' | 'uuid' | 'timestamptz' | 'jsonb' | 'tsvector';
  readonly nullable: boolean;
  /** Personal plaintext: PostgreSQL keeps no statistics of it, which would copy values. */
  readonly personal?: true;
  /** Never set: carries the type for inference. */
  readonly value?: Value;
}

const column = <Value>(type: Column['type']): Column<Value> => ({ type, nullable: false });

export const integer = (): Column<number> => column('integer');
export const numeric = (): Column<string> => column('numeric');
export const text = <Value extends string = string>(): Column<Value> => column('text');
export const boolean = (): Column<boolean> => column('boolean');
export const uuid = (): Column<string> => column('uuid');
export const instant = (): Column<Instant> => column('timestamptz');
export const json = <Value>(): Column<Value> => column('jsonb');
export const searchable = (): Column<string> => column('tsvector');
export const optional = <Value>(of: Column<Value>): Column<Value | null> => ({ ...of, nullable: true });

export const personal = <Value>(of: Column<Value>): Column<Value> => ({ ...of, personal: true });

type Columns = Readonly<Record<string, Column>>;

export interface Table<
  Name extends string = string,
  C extends Columns = Columns,
  K extends string | readonly string[] = string | readonly string[],
> {
  readonly name: Name;
  readonly columns: C;
  readonly key: K;
  /** Text after `CREATE INDEX ON table`. A rebuild creates indexes after the load. */
  readonly indexes: readonly string[];
}

export const table = <
  const Name extends string,
  C extends Columns,
  const K extends (keyof C & string) | readonly (keyof C & string)[],
>(
  name: Name,
  declared: { readonly key: K; readonly columns: C; readonly indexes?: readonly string[] },
): Table<Name, C, K> => ({ name, indexes: [], ...declared });

type ValueOf<C> = C extends Column<infer Value> ? Value : never;

export type RowOf<T> =
  T extends Table<string, infer C, string | readonly string[]>
    ? { -readonly [Name in keyof C]: ValueOf<C[Name]> }
    : never;

export type KeyOf<T> =
  T extends Table<string, infer C, infer K>
    ? K extends readonly string[]
      ? { readonly [Index in keyof K]: ValueOf<C[K[Index] & keyof C]> }
      : ValueOf<C[K & keyof C]>
    : never;
