import type { Pool } from 'pg';
import type { AccountEnding } from '../deps.ts';
import type { Replies } from '../lane/replies.ts';

/** What tables still hold of a person after their key is gone, and how it is removed. Each is repeatable. */
export const sweepsOf = ({
  pool,
  replies,
}: {
  readonly pool: Pool;
  readonly replies: Pick<Replies, 'forget'>;
}): AccountEnding['sweeps'] => [
  (accountId) => replies.forget(accountId),
  async (accountId) => {
    await pool.query(
      `update app.outbox set data = '{}', given_up = 'the account was deleted'
        where account_id = $1 and sent_at is null and given_up is null and kind in ('verify-email', 'reset-password')`,
      [accountId],
    );
  },
];
