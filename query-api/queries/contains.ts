import { type Expression, type SqlBool, sql } from 'kysely';

/** The condition that one of the columns contains the text, whatever its case. */
export const contains = (columns: readonly string[], text: string): Expression<SqlBool> => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`;
};
