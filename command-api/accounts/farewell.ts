import { setTimeout as pause } from 'node:timers/promises';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { caughtUp, type EndingDeps } from '#command-api/purchase/end-purchases.ts';

/** How many milliseconds the mails may take. */
const PATIENCE = 10_000;
const ASK_EVERY = 25;
/** After so many attempts, which take some 20 minutes, a mail is not waited for: an address may take none at all. */
const MOST_ATTEMPTS = 8;

/**
 * Mails a person that a superuser deletes their account, and waits until this mail and those about their cancelled bookings are sent:
 * a mail is composed when it is sent, and can't be without the person's key. It can be repeated.
 * @returns whether they are sent; otherwise call it again
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
