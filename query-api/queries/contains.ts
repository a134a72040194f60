import { type Expression, type SqlBool, sql } from 'kysely';

/** A column as the query's tables have it, such as `'r.requested_at'`, or an expression. */
export type Column = string | Expression<unknown>;

export const columnOf = (column: Column) => (typeof column === 'string' ? sql.ref(column) : column);

/** The condition that one of the columns contains the text, whatever its case. */
export const contains = (columns: readonly Column[], text: string): Expression<SqlBool> => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${columnOf(column)} ilike ${pattern}`),
    sql` or `,
  )})`;
};
