/** Removes data of erased people: deleted rows and their copies in the write-ahead log. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds: others queue behind this lock request. */
const LOCK_WAIT = 2_000;
/** Milliseconds. */
const PATIENCE = 10_000;
const ASK_EVERY = 50;

const TABLES = `
  select format('vacuum full %I.%I', schemaname, tablename) as statement from pg_tables
   where (tablename in ('person', 'subscriber') and (schemaname = 'read' or starts_with(schemaname, 'read_')))
      or (schemaname, tablename) = ('keys', 'subject_key')`;

/** False while a transaction from before `at` is open: deleted rows are kept for it. */
const unseenSince = async (client: pg.Client, at: Date): Promise<boolean> => {
  for (const end = performance.now() + PATIENCE; ; await pause(ASK_EVERY)) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
        where xact_start <= $1 and pid <> pg_backend_pid() and (backend_xmin is not null or backend_xid is not null) limit 1`,
      [at],
    );
    if (rowCount === 0) return true;
    if (performance.now() > end) return false;
  }
};

/**
 * Resolves to how many erasures it cleaned up after; 0 also if an older transaction still reads: call it
 * again.
 * @param superuserUrl of a server with `wal_recycle=off`
 */
export const cleanFiles = async (superuserUrl: string): Promise<number> => {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'reprise clean' });
  client.on('error', () => undefined /* the query under way reports it */);
  await client.connect();
  try {
    const { rows } = await client.query<{ account_id: string; at: Date }>(
      'select account_id, clock_timestamp() as at from app.erasure where done_at is not null and cleaned_at is null',
    );
    const at = rows.at(-1)?.at;
    if (at === undefined || !(await unseenSince(client, at))) return 0;
    await client.query(`set lock_timeout = ${LOCK_WAIT}`);
    const { rows: tables } = await client.query<{ statement: string }>(TABLES);
    for (const { statement } of tables) await client.query(statement);
    // The checkpoint removes older segments and the tables' old files.
    await client.query('select pg_switch_wal()');
    await client.query('checkpoint');
    await client.query('update app.erasure set cleaned_at = clock_timestamp() where account_id = any($1)', [
      rows.map(({ account_id }) => account_id),
    ]);
    return rows.length;
  } finally {
    await client.end();
  }
};
