import type { Pool } from 'pg';

const removeRow = async (
  pool: Pick<Pool, 'query'>,
  table: 'person' | 'subscriber',
  key: string,
  value: string,
): Promise<void> => {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('delete from %I.%I where %I = $1', schemaname, tablename, $2::text) as statement
       from pg_tables where tablename = $1 and (schemaname = 'read' or starts_with(schemaname, 'read_'))`,
    [table, key],
  );
  for (const { statement } of rows) await pool.query(statement, [value]);
};

/** Idempotent. */
export const forgetPerson = (pool: Pick<Pool, 'query'>, accountId: string): Promise<void> =>
  removeRow(pool, 'person', 'account_id', accountId);

/** Idempotent. */
export const forgetSubscriber = (pool: Pick<Pool, 'query'>, subscription: string): Promise<void> =>
  removeRow(pool, 'subscriber', 'id', subscription);
