import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { accountIdOf, accounts } from './people.ts';

/** The name in `app.mark` of a database that holds the whole demo. */
export const DEMO_MARK = 'demo';

/** Whether this database holds the demo, or accounts of it that a killed start has left. */
export const holdsDemo = async (pool: Pick<Pool, 'query'>): Promise<boolean> => {
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (select from app.mark where name = $1)
         or exists (select from app.credential where account_id = any($2)) as found`,
    [DEMO_MARK, accounts.map(accountIdOf)],
  );
  return rows[0]?.found === true;
};

/**
 * Keeps the demo's data out of production, since the password of its superuser is public.
 * @throws CannotStart if the demo made the data
 */
export const refuseDemoData = async (pool: Pick<Pool, 'query'>): Promise<void> => {
  if (await holdsDemo(pool))
    throw new CannotStart(
      'This data was made by the demo, whose accounts have a public password: production needs a DATA_DIR or DATABASE_URL of its own.',
    );
};
