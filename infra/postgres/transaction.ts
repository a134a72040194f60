import type { Pool, PoolClient } from 'pg';
import { isOutage } from '#infra/lib/postgres-outage.ts';

export const inTransaction = async <Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    try {
      const result = await work(client);
      await client.query('commit');
      broken = false;
      return result;
    } catch (error) {
      // A rollback would hang as long as the failure.
      if (isOutage(error)) throw error;
      await client.query('rollback').then(
        () => {
          broken = false;
        },
        () => undefined /* the first error says more */,
      );
      throw error;
    }
  } finally {
    client.release(broken);
  }
};
