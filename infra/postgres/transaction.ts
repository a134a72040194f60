import type { Pool, PoolClient } from 'pg';
import { isOutage } from '#infra/lib/postgres-outage.ts';

/** Runs `work` in one transaction on a connection of its own: committed when it returns, undone when it throws. */
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
      // A rollback would wait for as long as what failed, or leave a connection to where no change can be made.
      if (isOutage(error)) throw error;
      await client.query('rollback').then(
        () => {
          broken = false;
        },
        () => undefined /* the connection is gone: what went wrong before says more */,
      );
      throw error;
    }
  } finally {
    // Where it is thrown away PostgreSQL undoes what was done on it.
    client.release(broken);
  }
};
