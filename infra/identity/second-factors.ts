/**
 * Secrets are sealed with the person's key; recovery codes are hashed. The account's stream says whether
 * there is a second factor.
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
/** 80 bits: can't be guessed from its hash. */
const RECOVERY_BYTES = 10;
/** Milliseconds. */
const CUT_OFF = 60_000;

export interface SecondFactors {
  begin(accountId: string): Promise<Buffer>;
  confirm(accountId: string, code: string): Promise<boolean>;
  take(accountId: string, code: string): Promise<boolean>;
  /** The old ones end. Stores none if the second factor was removed meanwhile. */
  renewRecoveryCodes(accountId: string): Promise<readonly string[]>;
  remove(accountId: string): Promise<void>;
}

interface Row {
  readonly secret: Buffer;
  readonly key_version: number;
}

const digitsOf = (code: string): string => code.replace(/\s/g, '');
export const isAppCode = (code: string): boolean => /^\d+$/.test(digitsOf(code));

const contextOf = (accountId: string): string => JSON.stringify(['second factor', accountId]);
const hashRecoveryCode = (accountId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${accountId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`)
    .digest();
const newRecoveryCode = (): string => base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g)?.join('-') ?? '';

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
        // Concurrent transactions would not see each other's codes, and both sets would stay.
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
