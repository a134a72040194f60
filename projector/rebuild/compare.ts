import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { Table } from '#infra/read-models/table.ts';
import { type Projection, tablesOf } from '#projector/engine/projection.ts';
import { quote } from '#projector/engine/schema.ts';

type Row = Readonly<Record<string, unknown>>;

/** Without personal columns, since reports outlive erasures. A missing row is null. */
export interface Difference {
  readonly table: string;
  readonly key: string;
  readonly left: Row | null;
  readonly right: Row | null;
  readonly untold: readonly string[];
}

export interface Comparison {
  readonly differing: Readonly<Record<string, number>>;
  readonly examples: readonly Difference[];
  readonly incomparable: readonly string[];
  readonly equal: boolean;
}

const tablesOfBoth = async (database: pg.PoolClient, left: string, right: string): Promise<Set<string>> => {
  const { rows } = await database.query<{ name: string }>(
    `SELECT name FROM (
        SELECT table_name AS name, array_agg(column_name || ' ' || data_type ORDER BY column_name) AS columns
        FROM information_schema.columns WHERE table_schema IN ($1, $2) GROUP BY table_schema, table_name
      ) found GROUP BY name, columns HAVING count(*) = 2`,
    [left, right],
  );
  return new Set(rows.map(({ name }) => name));
};

const EXAMPLES = 20;

const exampleOf = (
  { name: table, columns }: Table,
  { key, left, right }: { readonly key: string; readonly left: Row | null; readonly right: Row | null },
): Difference => {
  const told = (row: Row | null): Row | null =>
    row && Object.fromEntries(Object.entries(row).filter(([name]) => !columns[name]?.personal));
  const untold = Object.keys(columns).filter(
    (name) => columns[name]?.personal && left && right && !isDeepStrictEqual(left[name], right[name]),
  );
  return { table, key, left: told(left), right: told(right), untold };
};

/** If a schema may change meanwhile, pass a client in a snapshot transaction. */
export const compareReadModels = async (
  database: pg.PoolClient,
  left: string,
  right: string,
  projections: readonly Projection[],
): Promise<Comparison> => {
  const differing: Record<string, number> = {};
  const examples: Difference[] = [];
  const incomparable: string[] = [];
  const both = await tablesOfBoth(database, left, right);
  for (const declared of tablesOf(projections)) {
    const { name: table, key, columns } = declared;
    if (!both.has(table)) {
      incomparable.push(table);
      continue;
    }
    const row = (alias: string) =>
      `ROW(${Object.keys(columns)
        .map((name) => `${alias}.${quote(name)}`)
        .join(', ')})`;
    const keys = [key].flat().map(quote);
    const known = keys.map((name) => `coalesce(a.${name}, b.${name})::text`).join(` || ', ' || `);
    const { rows } = await database.query<{
      total: number;
      key: string;
      left: Row | null;
      right: Row | null;
    }>(
      `SELECT count(*) OVER ()::integer AS total, ${known} AS key, to_jsonb(a) AS left, to_jsonb(b) AS right
        FROM ${quote(left)}.${quote(table)} a FULL JOIN ${quote(right)}.${quote(table)} b
          ON ${keys.map((name) => `a.${name} = b.${name}`).join(' AND ')}
        WHERE ${row('a')} IS DISTINCT FROM ${row('b')} ORDER BY 2 LIMIT ${EXAMPLES}`,
    );
    const [first] = rows;
    if (first === undefined) continue;
    differing[table] = first.total;
    examples.push(...rows.map((found) => exampleOf(declared, found)));
  }
  const equal = Object.keys(differing).length === 0 && incomparable.length === 0;
  return { differing, examples: examples.slice(0, EXAMPLES), incomparable, equal };
};

export const describeComparison = ({ equal, differing, examples, incomparable }: Comparison): string => {
  if (equal) return 'no row differs';
  const counts = Object.entries(differing).map(([table, rows]) => `${table}: ${rows} differing rows`);
  const rows = examples.flatMap(({ table, key, left, right, untold }) => [
    `${table} ${key}${untold.length > 0 ? ` (other, and not told: ${untold.join(', ')})` : ''}`,
    `  - ${JSON.stringify(left)}`,
    `  + ${JSON.stringify(right)}`,
  ]);
  const others = incomparable.map(
    (table) => `${table}: its columns differ, so that its rows can't be compared`,
  );
  return [...counts, ...others, ...rows].join('\n');
};
