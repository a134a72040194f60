import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';

const RESTORING = 'a backup is being put back';

type Connection = Pick<Pool, 'query'>;

export const markRestoring = async (connection: Connection): Promise<void> => {
  await connection.query('INSERT INTO app.mark (name) VALUES ($1) ON CONFLICT DO NOTHING', [RESTORING]);
};

/** Call it once erasures since the backup are repeated and all sessions are ended. */
export const endRestoring = async (connection: Connection): Promise<void> => {
  await connection.query('DELETE FROM app.mark WHERE name = $1', [RESTORING]);
};

/**
 * The database would show people erased since the backup and accept sessions ended since.
 * @throws CannotStart
 */
export const refuseUnfinishedRestore = async (connection: Connection): Promise<void> => {
  const { rowCount } = await connection.query('SELECT FROM app.mark WHERE name = $1', [RESTORING]);
  if (rowCount)
    throw new CannotStart(
      'A backup was not put back to the end here: remove DATA_DIR and what is in the database, and restore it again.',
    );
};
