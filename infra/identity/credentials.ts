import type pg from 'pg';
import type { Clock } from '#infra/lib/clock.ts';
import { hashPassword, isOutdated, isPassword, NOBODYS_HASH } from './passwords.ts';

export interface FederatedIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface Credentials {
  /** @throws TooManyPasswords */
  setPassword(accountId: string, password: string): Promise<void>;
  /**
   * Of concurrent calls with the right `current` one succeeds.
   * @throws TooManyPasswords
   */
  replacePassword(accountId: string, current: string, password: string): Promise<boolean>;
  /**
   * Takes equally long for an unknown account (`undefined`), one without a password and a wrong password.
   * @throws TooManyPasswords
   */
  verifyPassword(accountId: string | undefined, password: string): Promise<boolean>;
  waysOf(accountId: string): Promise<readonly ('password' | 'google')[]>;
  accountOf(identity: FederatedIdentity): Promise<string | undefined>;
  link(identity: FederatedIdentity, accountId: string): Promise<string>;
  removePassword(accountId: string): Promise<void>;
  remove(accountId: string): Promise<void>;
}

export const createCredentials = (options: { pool: Pick<pg.Pool, 'query'>; clock: Clock }): Credentials => {
  const { pool, clock } = options;

  const replace = async (accountId: string, hash: string, password: string): Promise<boolean> => {
    const { rowCount } = await pool.query(
      'update app.credential set password_hash = $3, changed_at = $4 where account_id = $1 and password_hash = $2',
      [accountId, hash, await hashPassword(password), clock()],
    );
    return rowCount === 1;
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

  const removePassword = async (accountId: string): Promise<void> => {
    await pool.query('delete from app.credential where account_id = $1', [accountId]);
  };

  return {
    accountOf,
    async setPassword(accountId, password) {
      await pool.query(
        `insert into app.credential (account_id, password_hash, changed_at) values ($1, $2, $3)
         on conflict (account_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
        [accountId, await hashPassword(password), clock()],
      );
    },
    async replacePassword(accountId, current, password) {
      const hash = await hashOf(accountId);
      return hash !== undefined && (await isPassword(current, hash)) && replace(accountId, hash, password);
    },
    async verifyPassword(accountId, password) {
      const hash = accountId === undefined ? undefined : await hashOf(accountId);
      if (accountId === undefined || hash === undefined) {
        await isPassword(password, NOBODYS_HASH);
        return false;
      }
      const right = await isPassword(password, hash);
      if (right && isOutdated(hash)) await replace(accountId, hash, password);
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
    removePassword,
    async remove(accountId) {
      await removePassword(accountId);
      await pool.query('delete from app.federated_identity where account_id = $1', [accountId]);
    },
  };
};
