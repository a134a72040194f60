import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

export interface SandboxAccount {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
}

const token = (): string => randomBytes(24).toString('base64url').replace(/[-_]/g, 'x');

export const sandboxAccount = async (pool: Pool): Promise<SandboxAccount> => {
  await pool.query(
    `insert into app.sandbox_account (secret_key, publishable_key, webhook_secret) values ($1, $2, $3)
     on conflict (only_one) do nothing`,
    [`sk_test_${token()}`, `pk_test_${token()}`, `whsec_${token()}`],
  );
  const { rows } = await pool.query<SandboxAccount>(
    `select secret_key as "secretKey", publishable_key as "publishableKey", webhook_secret as "webhookSecret"
       from app.sandbox_account`,
  );
  const [account] = rows;
  if (!account) throw new Error('the payment sandbox has no account');
  return account;
};
