import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';

/** The name in `app.mark` of a database into which a backup is being put back. */
const RESTORING = 'a backup is being put back';

type Connection = Pick<Pool, 'query'>;

/** Marks a database, in the transaction that fills its tables. */
export const markRestoring = async (connection: Connection): Promise<void> => {
  await connection.query('INSERT INTO app.mark (name) VALUES ($1) ON CONFLICT DO NOTHING', [RESTORING]);
};

/** Lets the site start. Call it once who was erased since the backup is erased again, and all sessions are ended. */
export const endRestoring = async (connection: Connection): Promise<void> => {
  await connection.query('DELETE FROM app.mark WHERE name = $1', [RESTORING]);
};

/**
 * Holds a database to have no restore that was cut off, or that found something wrong: it would serve who was erased since the backup,
 * and take sessions that were ended since. @throws CannotStart
 */
export const refuseUnfinishedRestore = async (connection: Connection): Promise<void> => {
  const { rowCount } = await connection.query('SELECT FROM app.mark WHERE name = $1', [RESTORING]);
  if (rowCount)
    throw new CannotStart(
      'A backup was not put back to the end here: remove DATA_DIR and what is in the database, and restore it again.',
    );
};
