import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '#infra/lib/clock.ts';

export type MailTokenKind = 'verify' | 'reset';

const MINUTE = 60_000;
/** Milliseconds. */
export const MAIL_TOKEN_LIFE: Readonly<Record<MailTokenKind, number>> = {
  verify: 24 * 60 * MINUTE,
  reset: 30 * MINUTE,
};

export interface MailTokens {
  /** A reset token removes the account's older ones. */
  issue(kind: MailTokenKind, accountId: string): Promise<string>;
  check(kind: MailTokenKind, token: string): Promise<string | undefined>;
  /** Consumes the token; of concurrent calls one gets the account. */
  take(kind: MailTokenKind, token: string): Promise<string | undefined>;
  remove(accountId: string, kind?: MailTokenKind): Promise<void>;
  sweep(): Promise<number>;
}

const TOKEN = /^[\w-]{43}$/;
const hashed = (token: string): Buffer => createHash('sha256').update(token).digest();

interface Row {
  readonly account_id: string;
}

export const createMailTokens = (options: { pool: Pick<pg.Pool, 'query'>; clock: Clock }): MailTokens => {
  const { pool, clock } = options;

  const remove = async (accountId: string, kind?: MailTokenKind): Promise<void> => {
    await pool.query('delete from app.mail_token where account_id = $1 and kind = coalesce($2, kind)', [
      accountId,
      kind ?? null,
    ]);
  };
  return {
    remove,
    async issue(kind, accountId) {
      if (kind === 'reset') await remove(accountId, kind);
      const token = randomBytes(32).toString('base64url');
      await pool.query(
        'insert into app.mail_token (token_hash, kind, account_id, ends_at) values ($1, $2, $3, $4)',
        [hashed(token), kind, accountId, new Date(clock().getTime() + MAIL_TOKEN_LIFE[kind])],
      );
      return token;
    },
    async check(kind, token) {
      if (!TOKEN.test(token)) return undefined;
      const { rows } = await pool.query<Row>(
        'select account_id from app.mail_token where token_hash = $1 and kind = $2 and ends_at > $3',
        [hashed(token), kind, clock()],
      );
      return rows[0]?.account_id;
    },
    async take(kind, token) {
      if (!TOKEN.test(token)) return undefined;
      const { rows } = await pool.query<Row>(
        'delete from app.mail_token where token_hash = $1 and kind = $2 and ends_at > $3 returning account_id',
        [hashed(token), kind, clock()],
      );
      return rows[0]?.account_id;
    },
    async sweep() {
      const { rowCount } = await pool.query('delete from app.mail_token where ends_at <= $1', [clock()]);
      return rowCount ?? 0;
    },
  };
};
