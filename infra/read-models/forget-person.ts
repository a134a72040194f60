import type { Pool } from 'pg';

/**
 * Removes an erased account's row from every copy of the read models, be it the live one, one that a rebuild is filling,
 * or one that it replaced: `person` is the only table with personal plaintext. Repeatable.
 */
export const forgetPerson = async (pool: Pick<Pool, 'query'>, accountId: string): Promise<void> => {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('delete from %I.person where account_id = $1', schemaname) as statement
       from pg_tables where tablename = 'person' and (schemaname = 'read' or starts_with(schemaname, 'read_'))`,
  );
  for (const { statement } of rows) await pool.query(statement, [accountId]);
};
