import { type Expression, type SqlBool, sql } from 'kysely';

export type Column = string | Expression<unknown>;

export const columnOf = (column: Column) => (typeof column === 'string' ? sql.ref(column) : column);

export const contains = (columns: readonly Column[], text: string): Expression<SqlBool> => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${columnOf(column)} ilike ${pattern}`),
    sql` or `,
  )})`;
};
