/** `app.erasure` gets the request first. Every later step is repeatable; `finishErasures` completes interrupted ones. */

import type { Pool } from 'pg';
import { type ActingHandler, systemContext } from '#command-api/commands/command-handler.ts';
import type { AccountEnding, CommandDeps } from '#command-api/deps/deps.ts';
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
  | 'handler'
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

interface ErasureRequest {
  readonly account_id: string;
  readonly email_id: string | null;
  readonly asked_by: string | null;
  readonly asked_at: Date;
}

export const leaveNewsletter = async (
  { keys, database }: Pick<ErasureDeps, 'keys' | 'database'>,
  subscription: string,
  acting: ActingHandler,
): Promise<void> => {
  const { state } = await acting.do(newsletter, subscription, { type: 'Erase', subscription });
  for (const key of state.erasedKeys) await keys.destroy(newsletterKey(key));
  await forgetSubscriber(database.pool, subscription);
};

/** @returns whether all steps are done */
const carryOut = async (
  deps: ErasureDeps,
  request: ErasureRequest,
  acting: ActingHandler,
): Promise<boolean> => {
  const { keys, sessions, credentials, secondFactors, mailTokens, replies, ending, database, clock } = deps;
  const { account_id: accountId, email_id: emailId, asked_by: by } = request;
  const at = request.asked_at.toISOString();
  const how = by === null || by === accountId ? 'account-erased' : 'account-removed';
  if (how === 'account-removed') {
    // The key must outlive the last mails; until then, the soft delete blocks sign-in.
    await acting.ask(account, accountId, { type: 'SoftDelete', reason: '', by });
    await sessions.closeAll(accountId);
  }
  await ending.endPurchases(accountId, acting, how, at);
  if (how === 'account-removed' && !(await ending.sayFarewell(accountId))) return false;
  await keys.destroy(accountId, { at, by });
  // After a restore, an erased account may be the last superuser: it then stays on the list.
  await acting.ask(superusers, SUPERUSERS, { type: 'Leave', accountId });
  await acting.do(account, accountId, { type: 'Erase', by });
  if (emailId !== null) {
    // Another account may have claimed the address meanwhile.
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
  // A session could open a checkout until now. Without the key, only the system can end it.
  await ending.endPurchases(accountId, acting.as({ kind: 'system' }), how, at);
  // Only now: a superuser may have reinstated a booking while the last mails were queued.
  await database.pool.query('delete from app.account_booking where account_id = $1', [accountId]);
  await database.pool.query('update app.erasure set done_at = $2, email_id = null where account_id = $1', [
    accountId,
    clock(),
  ]);
  return true;
};

/**
 * Permanent and repeatable.
 * @returns false if last mails delay it: `finishErasures` then destroys the data
 * @throws Refusal NOT_FOUND, NOT_YOURSELF (superusers don't delete themselves), LAST_SUPERUSER
 */
export const eraseAccount = async (
  deps: ErasureDeps,
  accountId: string,
  by: string,
  acting: ActingHandler,
): Promise<boolean> => {
  const { emailId, database, clock } = deps;
  const { state } = await acting.state(account, accountId);
  if (state.accountId === null) throw new Refusal('NOT_FOUND');
  if (state.erased) return true;
  if (state.role === 'superuser') {
    if (by === accountId) throw new Refusal('NOT_YOURSELF');
    await acting.do(superusers, SUPERUSERS, { type: 'Leave', accountId });
  }
  // Keep an earlier request's claim id: the address may be unreadable by now.
  const { rows } = await database.pool.query<ErasureRequest>(
    `insert into app.erasure (account_id, email_id, asked_by, asked_at, receipt, counts)
     values ($1::uuid, $2, $3, $4, $5, ${COUNTS})
     on conflict (account_id) do update set asked_at = app.erasure.asked_at
     returning account_id, email_id, asked_by, asked_at`,
    [accountId, isErased(state.email) ? null : emailId(state.email), by, clock(), receiptOf(accountId)],
  );
  const [request] = rows;
  if (!request) throw new Error('the erasure could not be written down');
  return carryOut(deps, request, acting);
};

export const restoreAccount = async (
  deps: Pick<ErasureDeps, 'sessions' | 'database'>,
  accountId: string,
  acting: ActingHandler,
): Promise<void> => {
  const { rowCount } = await deps.database.pool.query('select from app.erasure where account_id = $1', [
    accountId,
  ]);
  if (rowCount !== 0) throw new Refusal('ERASED');
  await administerAccount(deps, accountId, { type: 'Restore' }, acting);
};

export const forgetIfErased = async (
  { credentials }: Pick<ErasureDeps, 'credentials'>,
  accountId: string,
  acting: ActingHandler,
): Promise<void> => {
  const { state } = await acting.state(account, accountId);
  if (state.erased) await credentials.remove(accountId);
};

export const finishErasures = async (
  deps: ErasureDeps,
  onError: (error: unknown) => void,
): Promise<number> => {
  const { database, clock, handler } = deps;
  const { rows } = await database.pool.query<ErasureRequest>(
    `select account_id, email_id, asked_by, asked_at from app.erasure
     where done_at is null and asked_at < $1::timestamptz - interval '20 seconds' order by asked_at limit 100`,
    [clock()],
  );
  let finished = 0;
  for (const request of rows) {
    try {
      if (await carryOut(deps, request, handler.as(systemContext(clock)))) finished += 1;
    } catch (error) {
      onError(error);
    }
  }
  return finished;
};

/** Repeatable. */
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
    // Waits for a mail that is being sent. Later ones find no address.
    const { rows } = await pool.query<{ key: string }>(
      'select key from app.outbox where account_id = $1 for update',
      [accountId],
    );
    await transport.forget(rows.map(({ key }) => key));
  },
];
