import type pg from 'pg';

const SCHEMAS = ['log', 'keys', 'app'];
const MIGRATIONS = 'app.migration';

/** Referenced tables come first. */
export const tablesOf = async (client: pg.ClientBase): Promise<readonly string[]> => {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1) order by 1`,
    [SCHEMAS],
  );
  const { rows: references } = await client.query<{ name: string; refers: string }>(
    `select conrelid::regclass::text as name, confrelid::regclass::text as refers from pg_constraint
      where contype = 'f' and conrelid <> confrelid`,
  );
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    for (const { refers } of references.filter((one) => one.name === name)) add(refers);
    ordered.add(name);
  };
  for (const { name } of tables) if (name !== MIGRATIONS) add(name);
  return [...ordered];
};

export const sequencesOf = async (client: pg.ClientBase): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
      where schemaname = any($1) and last_value is not null`,
    [SCHEMAS],
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
};
