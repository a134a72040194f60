/**
 * Erases accounts. The request is written to `app.erasure` first. Each step after it can be repeated, so that `finishErasures`
 * finishes an erasure that was interrupted. The log keeps its events, but the personal data in them can't be read any more.
 */

import type { Pool } from 'pg';
import type { AccountEnding, CommandDeps } from '#command-api/deps/deps.ts';
import { type ActingLane, systemContext } from '#command-api/lane/lane.ts';
import { account } from '#domain/account/account.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { newsletterKey } from '#domain/newsletter/events.ts';
import { newsletter } from '#domain/newsletter/newsletter.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import { COUNTS, receiptOf } from '#infra/keys/erasure-receipt.ts';
import type { Transport } from '#infra/mail/mailer.ts';
import { forgetPerson, forgetSubscriber } from '#infra/read-models/forget-person.ts';
import { administerAccount } from './administration.ts';

export type ErasureDeps = Pick<
  CommandDeps,
  | 'lane'
  | 'clock'
  | 'emailId'
  | 'keys'
  | 'database'
  | 'sessions'
  | 'credentials'
  | 'secondFactors'
  | 'mailTokens'
  | 'replies'
> & { readonly ending: AccountEnding };

interface Wish {
  readonly account_id: string;
  readonly email_id: string | null;
  readonly asked_by: string | null;
  readonly asked_at: Date;
}

/** Removes the address from the newsletter's list, and destroys the keys of all its subscriptions. It can be repeated. */
export const leaveNewsletter = async (
  { keys, database }: Pick<ErasureDeps, 'keys' | 'database'>,
  subscription: string,
  acting: ActingLane,
): Promise<void> => {
  const { state } = await acting.do(newsletter, subscription, { type: 'Erase', subscription });
  for (const key of state.erasedKeys) await keys.destroy(newsletterKey(key));
  await forgetSubscriber(database.pool, subscription);
};

/** Takes all steps after the request, as far as they can be taken now. @returns whether that was all of them */
const carryOut = async (deps: ErasureDeps, wish: Wish, acting: ActingLane): Promise<boolean> => {
  const { keys, sessions, credentials, secondFactors, mailTokens, replies, ending, database, clock } = deps;
  const { account_id: accountId, email_id: emailId, asked_by: by } = wish;
  const at = wish.asked_at.toISOString();
  const how = by === null || by === accountId ? 'account-erased' : 'account-removed';
  if (how === 'account-removed') {
    // Its key has to outlive its last mails, so until then this is what nobody can sign in to. A repeat may meet an erased account.
    await acting.ask(account, accountId, { type: 'SoftDelete', reason: '', by });
    await sessions.closeAll(accountId);
  }
  await ending.endPurchases(accountId, acting, how, at);
  if (how === 'account-removed' && !(await ending.sayFarewell(accountId))) return false;
  await keys.destroy(accountId, { at, by });
  // Erased again after a restore, they may be on the list. If they are the last one there, nobody else is a superuser.
  await acting.ask(superusers, SUPERUSERS, { type: 'Leave', accountId });
  await acting.do(account, accountId, { type: 'Erase', by });
  if (emailId !== null) {
    // A repeat may find that somebody has signed up with the address since it was given free. Then it is theirs.
    const { state: claim } = await acting.state(emailClaim, emailId);
    if (claim?.accountId === accountId) {
      await leaveNewsletter(deps, emailId, acting);
      await acting.do(emailClaim, emailId, { type: 'Release', accountId });
    }
  }
  await credentials.remove(accountId);
  await secondFactors.remove(accountId);
  await mailTokens.remove(accountId);
  await replies.forget(accountId);
  for (const sweep of ending.sweeps) await sweep(accountId);
  await sessions.closeAll(accountId);
  // A session could open a checkout until now. The key is gone, so the system has to end it.
  await ending.endPurchases(accountId, acting.as({ kind: 'system' }), how, at);
  // Not before: a superuser may have reinstated one while the last mails were on their way.
  await database.pool.query('delete from app.account_booking where account_id = $1', [accountId]);
  await database.pool.query('update app.erasure set done_at = $2, email_id = null where account_id = $1', [
    accountId,
    clock(),
  ]);
  return true;
};

/**
 * Erases an account for ever. A repeat changes nothing. One that a superuser deletes loses its sessions and purchases at once, and its data
 * once its last mails are sent: `finishErasures` sees to that.
 * @returns whether its data is destroyed by now
 * @param by the account that asks for it: the person's own, or a superuser's
 * @throws Refusal NOT_FOUND, NOT_YOURSELF (superusers don't delete themselves), LAST_SUPERUSER
 */
export const eraseAccount = async (
  deps: ErasureDeps,
  accountId: string,
  by: string,
  acting: ActingLane,
): Promise<boolean> => {
  const { emailId, database, clock } = deps;
  const { state } = await acting.state(account, accountId);
  if (state.accountId === null) throw new Refusal('NOT_FOUND');
  if (state.erased) return true;
  if (state.role === 'superuser') {
    if (by === accountId) throw new Refusal('NOT_YOURSELF');
    await acting.do(superusers, SUPERUSERS, { type: 'Leave', accountId });
  }
  // An earlier request keeps its claim id, since the address may be unreadable by now.
  const { rows } = await database.pool.query<Wish>(
    `insert into app.erasure (account_id, email_id, asked_by, asked_at, receipt, counts)
     values ($1::uuid, $2, $3, $4, $5, ${COUNTS})
     on conflict (account_id) do update set asked_at = app.erasure.asked_at
     returning account_id, email_id, asked_by, asked_at`,
    [accountId, isErased(state.email) ? null : emailId(state.email), by, clock(), receiptOf(accountId)],
  );
  const [wish] = rows;
  if (!wish) throw new Error('the erasure could not be written down');
  return carryOut(deps, wish, acting);
};

/** Brings back an account that is hidden, unless its erasure was asked for: that goes on. @throws Refusal ERASED, NOT_FOUND */
export const restoreAccount = async (
  deps: Pick<ErasureDeps, 'sessions' | 'database'>,
  accountId: string,
  acting: ActingLane,
): Promise<void> => {
  const { rowCount } = await deps.database.pool.query('select from app.erasure where account_id = $1', [
    accountId,
  ]);
  if (rowCount !== 0) throw new Refusal('ERASED');
  await administerAccount(deps, accountId, { type: 'Restore' }, acting);
};

/** Removes what somebody signs in with, where it was stored while the account was being erased: the erasure may have removed the rest before. */
export const forgetIfErased = async (
  { credentials }: Pick<ErasureDeps, 'credentials'>,
  accountId: string,
  acting: ActingLane,
): Promise<void> => {
  const { state } = await acting.state(account, accountId);
  if (state.erased) await credentials.remove(accountId);
};

/** Finishes erasures that were interrupted, and returns how many. One that fails again is reported to `onError` and tried the next time. */
export const finishErasures = async (
  deps: ErasureDeps,
  onError: (error: unknown) => void,
): Promise<number> => {
  const { database, clock, lane } = deps;
  const { rows } = await database.pool.query<Wish>(
    `select account_id, email_id, asked_by, asked_at from app.erasure
     where done_at is null and asked_at < $1::timestamptz - interval '20 seconds' order by asked_at limit 100`,
    [clock()],
  );
  let finished = 0;
  for (const wish of rows) {
    try {
      if (await carryOut(deps, wish, lane.as(systemContext(clock)))) finished += 1;
    } catch (error) {
      onError(error);
    }
  }
  return finished;
};

/** Functions that remove what tables and files still hold of a person after the key was destroyed. Each can be repeated. */
export const sweepsOf = ({
  pool,
  transport,
}: {
  readonly pool: Pool;
  readonly transport: Pick<Transport, 'forget'>;
}): AccountEnding['sweeps'] => [
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
