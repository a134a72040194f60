import type { Pool } from 'pg';
import type { Role } from '#domain/account/events.ts';
import { uuidFrom } from '#infra/ids/ids.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';

export const DEMO_PASSWORD = 'Encore-2026!';

export interface DemoPerson {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly signsIn: boolean;
  readonly dateOfBirth: string;
  readonly favorites: readonly string[];
}

export const accountIdOf = ({ email }: Pick<DemoPerson, 'email'>): string => uuidFrom(`demo ${email}`);

const signingIn = (role: Role, email: string, firstName: string, lastName: string): DemoPerson => ({
  role,
  email,
  firstName,
  lastName,
  signsIn: true,
  dateOfBirth: '1988-04-12',
  favorites: [],
});

export const accounts: readonly DemoPerson[] = [
  signingIn('superuser', 'superuser@reprise.test', 'Sunita', 'Rao'),
  signingIn('admin', 'admin@reprise.test', 'Alun', 'Prosser'),
  signingIn('staff', 'staff@reprise.test', 'Morven', 'Kerr'),
  signingIn('auditor', 'auditor@reprise.test', 'Ada', 'Lindqvist'),
  {
    ...signingIn('user', 'customer@reprise.test', 'Callum', 'Hughes'),
    dateOfBirth: '1993-09-26',
    favorites: ['concerts', 'dining'],
  },
];

export const DEMO_MARK = 'demo';

export const holdsDemo = async (pool: Pick<Pool, 'query'>): Promise<boolean> => {
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (select from app.mark where name = $1)
         or exists (select from app.credential where account_id = any($2)) as found`,
    [DEMO_MARK, accounts.map(accountIdOf)],
  );
  return rows[0]?.found === true;
};

/**
 * The demo's superuser has a public password.
 * @throws CannotStart if the database has demo data
 */
export const refuseDemoData = async (pool: Pick<Pool, 'query'>): Promise<void> => {
  if (await holdsDemo(pool))
    throw new CannotStart(
      'This data was made by the demo, whose accounts have a public password: production needs a DATA_DIR or DATABASE_URL of its own.',
    );
};
