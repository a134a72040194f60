/** The projector's own connections. */
import pg from 'pg';
import { types } from '#infra/postgres/database.ts';

/** Its transactions don't wait for the disk: after a crash rows and checkpoint are lost together, and projected again. */
export const openProjectorPool = (databaseUrl: string, onError: (error: Error) => void): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 6,
    types,
    options: '-c synchronous_commit=off',
    application_name: 'reprise projector',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Without listeners, a connection that breaks would end the process: one while it is idle, one while it is used.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined /* the query under way reports it */));
  return pool;
};
