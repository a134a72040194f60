/**
 * Second factors: the secret that an authenticator app shares with the site, sealed with the person's key, and ten recovery codes, of
 * which only hashes are kept. Whether an account has one is in its stream; here is what a code is checked against.
 */
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { open, seal } from '#infra/keys/cipher.ts';
import type { KeyStore } from '#infra/keys/key-store.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { base32, stepOf } from './totp.ts';

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: sixteen characters. They can't be guessed from their hash. */
const RECOVERY_BYTES = 10;
/** Enrolling takes two steps. After so many milliseconds whoever was cut off between them may begin anew. */
const CUT_OFF = 60_000;

/** Codes that prove that somebody has the account's app, or its recovery codes. */
export interface SecondFactors {
  /** Makes a new secret for an account whose second factor is off. It counts once `confirm` has seen a code. */
  begin(accountId: string): Promise<Buffer>;
  /** Takes the first code of a secret that was begun. False for a wrong code, or if none was begun. */
  confirm(accountId: string, code: string): Promise<boolean>;
  /** Takes a code of the app or a recovery code, each once. False for a wrong or used one. */
  take(accountId: string, code: string): Promise<boolean>;
  /** Ten new recovery codes. Older ones stop working. None is stored of an account whose second factor was removed meanwhile. */
  renewRecoveryCodes(accountId: string): Promise<readonly string[]>;
  remove(accountId: string): Promise<void>;
}

interface Row {
  readonly secret: Buffer;
  readonly key_version: number;
}

const digitsOf = (code: string): string => code.replace(/\s/g, '');
/** Whether it looks like a code of an app. Recovery codes have letters. */
export const isAppCode = (code: string): boolean => /^\d+$/.test(digitsOf(code));

const contextOf = (accountId: string): string => JSON.stringify(['second factor', accountId]);
/** People type recovery codes with or without dashes, in any case. */
const hashRecoveryCode = (accountId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${accountId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`)
    .digest();
const newRecoveryCode = (): string => base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g)?.join('-') ?? '';

/** Whether an account's second factor is on, and how many recovery codes are left: for the account's owner to see. */
export const secondFactorStatus = async (
  pool: Pick<pg.Pool, 'query'>,
  accountId: string,
): Promise<{ readonly enrolled: boolean; readonly recoveryCodes: number }> => {
  const { rows } = await pool.query<{ enrolled: boolean; recovery_codes: number }>(
    `select exists (select 1 from app.second_factor where account_id = $1 and confirmed_at is not null) as enrolled,
            (select count(*)::int from app.recovery_code where account_id = $1 and used_at is null) as recovery_codes`,
    [accountId],
  );
  return { enrolled: rows[0]?.enrolled ?? false, recoveryCodes: rows[0]?.recovery_codes ?? 0 };
};

/** Second factors in PostgreSQL, in `app.second_factor` and `app.recovery_code`. */
export const createSecondFactors = (options: {
  pool: pg.Pool;
  keys: Pick<KeyStore, 'sealing' | 'fetch'>;
  clock: Clock;
}): SecondFactors => {
  const { pool, keys, clock } = options;

  const read = async (accountId: string): Promise<{ row: Row; secret: Buffer } | undefined> => {
    const { rows } = await pool.query<Row>(
      'select secret, key_version from app.second_factor where account_id = $1',
      [accountId],
    );
    const [row] = rows;
    if (!row) return undefined;
    const [key] = await keys.fetch([{ subject: accountId, version: row.key_version }]);
    if (!key || key === 'gone') return undefined;
    const secret = open(key.key, contextOf(accountId), row.secret);
    return secret && { row, secret };
  };

  const takeCode = async (accountId: string, code: string): Promise<boolean> => {
    const found = await read(accountId);
    const step = found && stepOf(found.secret, code, clock());
    if (step === undefined) return false;
    const { rowCount } = await pool.query(
      'update app.second_factor set last_step = $2 where account_id = $1 and secret = $3 and last_step < $2',
      [accountId, step, found?.row.secret],
    );
    return rowCount === 1;
  };

  return {
    async begin(accountId) {
      const secret = randomBytes(SECRET_BYTES);
      const { key, version } = await keys.sealing(accountId);
      await pool.query(
        `insert into app.second_factor as f (account_id, secret, key_version) values ($1, $2, $3)
         on conflict (account_id) do update
           set secret = excluded.secret, key_version = excluded.key_version, confirmed_at = null, last_step = 0
         where f.confirmed_at is null or f.confirmed_at < $4`,
        [accountId, seal(key, contextOf(accountId), secret), version, new Date(clock().getTime() - CUT_OFF)],
      );
      return secret;
    },
    async confirm(accountId, code) {
      const found = await read(accountId);
      const step = found && stepOf(found.secret, code, clock());
      if (step === undefined) return false;
      const { rowCount } = await pool.query(
        `update app.second_factor set confirmed_at = $4, last_step = $2
         where account_id = $1 and secret = $3 and confirmed_at is null`,
        [accountId, step, found?.row.secret, clock()],
      );
      return rowCount === 1;
    },
    async take(accountId, code) {
      if (isAppCode(code)) return takeCode(accountId, digitsOf(code));
      const { rowCount } = await pool.query(
        'update app.recovery_code set used_at = $3 where account_id = $1 and code_hash = $2 and used_at is null',
        [accountId, hashRecoveryCode(accountId, code), clock()],
      );
      return rowCount === 1;
    },
    async renewRecoveryCodes(accountId) {
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      await inTransaction(pool, async (client) => {
        // One after the other: of two at once neither would see the other's codes, and both would stay.
        await client.query('select from app.second_factor where account_id = $1 for update', [accountId]);
        await client.query('delete from app.recovery_code where account_id = $1', [accountId]);
        await client.query(
          `insert into app.recovery_code (account_id, code_hash)
           select account_id, unnest($2::bytea[]) from app.second_factor where account_id = $1`,
          [accountId, codes.map((code) => hashRecoveryCode(accountId, code))],
        );
      });
      return codes;
    },
    async remove(accountId) {
      await pool.query('delete from app.second_factor where account_id = $1', [accountId]);
      await pool.query('delete from app.recovery_code where account_id = $1', [accountId]);
    },
  };
};
