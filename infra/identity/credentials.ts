/** What accounts sign in with, in `app.credential` and `app.federated_identity`. Never an event, never a log line. */
import type pg from 'pg';
import type { Clock } from '#infra/clock.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';

/** Somebody at a provider of identities: the issuer's URL and its `sub`. */
export interface FederatedIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** How accounts prove who they are. Secrets live here, never in the log. */
export interface Credentials {
  /** Sets an account's password. @throws TooManyPasswords */
  setPassword(accountId: string, password: string): Promise<void>;
  /**
   * Whether that is the account's password. An unknown account (`undefined`), or one without a password, takes
   * as long as a wrong password does. @throws TooManyPasswords
   */
  verifyPassword(accountId: string | undefined, password: string): Promise<boolean>;
  /** The ways an account can sign in. */
  waysOf(accountId: string): Promise<readonly ('password' | 'google')[]>;
  /** The account that an identity signs in to. */
  accountOf(identity: FederatedIdentity): Promise<string | undefined>;
  /** Ties an identity to an account; the first tie stays. Returns the account it is tied to now. */
  link(identity: FederatedIdentity, accountId: string): Promise<string>;
  /** Removes everything that an account could sign in with. */
  remove(accountId: string): Promise<void>;
}

/** Credentials in PostgreSQL. */
export const createCredentials = (options: { pool: Pick<pg.Pool, 'query'>; clock: Clock }): Credentials => {
  const { pool, clock } = options;
  let dummy: Promise<string> | undefined;

  const store = async (accountId: string, password: string): Promise<void> => {
    await pool.query(
      `insert into app.credential (account_id, password_hash, changed_at) values ($1, $2, $3)
       on conflict (account_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
      [accountId, await hashPassword(password), clock()],
    );
  };

  const hashOf = async (accountId: string): Promise<string | undefined> => {
    const { rows } = await pool.query<{ password_hash: string }>(
      'select password_hash from app.credential where account_id = $1',
      [accountId],
    );
    return rows[0]?.password_hash;
  };

  const accountOf = async ({ issuer, subject }: FederatedIdentity): Promise<string | undefined> => {
    const { rows } = await pool.query<{ account_id: string }>(
      'select account_id from app.federated_identity where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return rows[0]?.account_id;
  };

  return {
    accountOf,
    setPassword: store,
    async verifyPassword(accountId, password) {
      const hash = accountId === undefined ? undefined : await hashOf(accountId);
      if (accountId === undefined || hash === undefined) {
        dummy ??= hashPassword('nobody has this password');
        await isPassword(password, await dummy);
        return false;
      }
      const right = await isPassword(password, hash);
      if (right && isOutdated(hash)) await store(accountId, password);
      return right;
    },
    async waysOf(accountId) {
      const { rows } = await pool.query<{ way: 'password' | 'google' }>(
        `select 'password' as way from app.credential where account_id = $1
         union select 'google' from app.federated_identity where account_id = $1 order by way desc`,
        [accountId],
      );
      return rows.map(({ way }) => way);
    },
    async link(identity, accountId) {
      await pool.query(
        `insert into app.federated_identity (issuer, subject, account_id, linked_at) values ($1, $2, $3, $4)
         on conflict (issuer, subject) do nothing`,
        [identity.issuer, identity.subject, accountId, clock()],
      );
      return (await accountOf(identity)) ?? accountId;
    },
    async remove(accountId) {
      await pool.query('delete from app.credential where account_id = $1', [accountId]);
      await pool.query('delete from app.federated_identity where account_id = $1', [accountId]);
    },
  };
};
