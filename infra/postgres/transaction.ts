import type { Pool, PoolClient } from 'pg';

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
      await client.query('rollback').then(
        () => {
          broken = false;
        },
        () => undefined /* the connection is gone: what went wrong before says more */,
      );
      throw error;
    }
  } finally {
    // A connection on which even the rollback failed is thrown away.
    client.release(broken);
  }
};
