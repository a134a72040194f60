import { setTimeout as pause } from 'node:timers/promises';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { caughtUp, type EndingDeps } from '#command-api/purchase/end-purchases.ts';

/** Milliseconds. */
const PATIENCE = 10_000;
const ASK_EVERY = 25;
/** About 20 minutes; then the erasure stops waiting: the address may never accept mail. */
const MOST_ATTEMPTS = 8;

/**
 * Composing the last mails needs the person's key. Repeatable.
 * @returns false if mails are left; call again
 */
export const sayFarewell = async (
  { outbox, log, pool }: Pick<CommandDeps, 'outbox'> & Pick<EndingDeps, 'log' | 'pool'>,
  accountId: string,
  patience = PATIENCE,
): Promise<boolean> => {
  await outbox.enqueue({
    kind: 'account-deleted',
    accountId,
    data: {},
    key: `${accountId}:account-deleted`,
  });
  await caughtUp({ log, pool });
  const deadline = Date.now() + patience;
  for (;;) {
    const { rowCount } = await pool.query(
      `select from app.outbox
        where account_id = $1 and sent_at is null and given_up is null and attempts < $2 limit 1`,
      [accountId, MOST_ATTEMPTS],
    );
    if (rowCount === 0) return true;
    if (Date.now() > deadline) return false;
    await pause(ASK_EVERY);
  }
};
