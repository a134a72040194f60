import type { Pool } from 'pg';
import type { AccountEnding } from '#command-api/deps.ts';
import type { Replies } from '#command-api/idempotency/replies.ts';
import type { Transport } from '#infra/mail/mailer.ts';
import { forgetPerson } from '#infra/read-models/forget-person.ts';

/** Functions that remove what tables and files still hold of a person after the key was destroyed. Each can be repeated. */
export const sweepsOf = ({
  pool,
  replies,
  transport,
}: {
  readonly pool: Pool;
  readonly replies: Pick<Replies, 'forget'>;
  readonly transport: Pick<Transport, 'forget'>;
}): AccountEnding['sweeps'] => [
  (accountId) => replies.forget(accountId),
  (accountId) => forgetPerson(pool, accountId),
  async (accountId) => {
    await pool.query(
      `update app.outbox set data = '{}', given_up = 'the account was deleted'
        where account_id = $1 and sent_at is null and given_up is null and kind in ('verify-email', 'reset-password')`,
      [accountId],
    );
  },
  async (accountId) => {
    // The lock waits for a mail that is being sent. A mail that is sent later finds no address.
    const { rows } = await pool.query<{ key: string }>(
      'select key from app.outbox where account_id = $1 for update',
      [accountId],
    );
    await transport.forget(rows.map(({ key }) => key));
  },
];
