/**
 * Erasing an account: the wish is written first, then each step is taken, all of them repeatable, so that an
 * erasure that was cut off is finished by `finishErasures`. The log keeps its events; what named the person in them
 * can't be read any more.
 */
import type { AccountEnding, CommandDeps } from '#command-api/deps.ts';
import { account } from '#domain/account/account.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { newsletterKey } from '#domain/newsletter/events.ts';
import { newsletter } from '#domain/newsletter/newsletter.ts';
import { isErased } from '#domain/personal.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import { accepted, HttpError } from '#infra/http/errors.ts';

export type ErasureDeps = Pick<
  CommandDeps,
  | 'lane'
  | 'clock'
  | 'ids'
  | 'emailId'
  | 'keys'
  | 'database'
  | 'sessions'
  | 'credentials'
  | 'mailTokens'
  | 'replies'
> & { readonly ending: AccountEnding };

interface Wish {
  readonly account_id: string;
  readonly email_id: string | null;
  readonly asked_by: string | null;
}

/** Takes the address off the newsletter's list, and all its subscriptions' keys with it. */
const leaveNewsletter = async (
  { lane, keys, clock }: Pick<ErasureDeps, 'lane' | 'keys' | 'clock'>,
  subscription: string,
  context: Context,
): Promise<Position> => {
  const command = { type: 'Erase', subscription } as const;
  const left = accepted(await lane.execute(newsletter, subscription, command, following(context, clock)));
  for (const key of left.state.erasedKeys) await keys.destroy(newsletterKey(key));
  return left.position;
};

/** Takes every step that is left; answers with the position of the last event. */
const carryOut = async (deps: ErasureDeps, wish: Wish, context: Context): Promise<Position> => {
  const { lane, keys, sessions, credentials, mailTokens, replies, ending, database, clock } = deps;
  const accountId = wish.account_id;
  await ending.endPurchases(accountId, following(context, deps.clock));
  await keys.destroy(accountId);
  const by = wish.asked_by;
  const erasedAccount = accepted(
    await lane.execute(account, accountId, { type: 'Erase', by }, following(context, deps.clock)),
  );
  let { position } = erasedAccount;
  if (wish.email_id !== null) {
    const released = accepted(
      await lane.execute(
        emailClaim,
        wish.email_id,
        { type: 'Release', accountId },
        following(context, deps.clock),
      ),
    );
    if (released.position > position) position = released.position;
    const left = await leaveNewsletter(deps, wish.email_id, context);
    if (left > position) position = left;
  }
  await credentials.remove(accountId);
  await mailTokens.remove(accountId);
  await replies.forget(accountId);
  for (const sweep of ending.sweeps) await sweep(accountId);
  await sessions.closeAll(accountId);
  // Until here their sessions could open a checkout. With the key gone, their own command would be refused.
  const system = { ...following(context, clock), actor: { kind: 'system' } } as const;
  await ending.endPurchases(accountId, system);
  await database.pool.query('update app.erasure set done_at = $2, email_id = null where account_id = $1', [
    accountId,
    clock(),
  ]);
  return position;
};

/**
 * Erases an account for good. A repeat is answered like the first.
 * @param by who asks: the person, or a superuser
 * @throws HttpError NOT_FOUND, NOT_YOURSELF (superusers don't delete themselves), LAST_SUPERUSER
 */
export const eraseAccount = async (
  deps: ErasureDeps,
  accountId: string,
  by: string,
  context: Context,
): Promise<Position> => {
  const { lane, emailId, database, clock } = deps;
  const { state, position } = await lane.state(account, accountId);
  if (state.accountId === null) throw new HttpError('NOT_FOUND');
  if (state.erased) return position;
  if (state.role === 'superuser') {
    if (by === accountId) throw new HttpError('NOT_YOURSELF');
    accepted(
      await lane.execute(
        superusers,
        SUPERUSERS,
        { type: 'Leave', accountId },
        following(context, deps.clock),
      ),
    );
  }
  // A wish that was written before keeps its claim: the address may be unreadable by now.
  const { rows } = await database.pool.query<Wish>(
    `insert into app.erasure (account_id, email_id, asked_by, asked_at) values ($1, $2, $3, $4)
     on conflict (account_id) do update set asked_at = app.erasure.asked_at
     returning account_id, email_id, asked_by`,
    [accountId, isErased(state.email) ? null : emailId(state.email), by, clock()],
  );
  const [wish] = rows;
  if (!wish) throw new Error('the erasure could not be written down');
  return carryOut(deps, wish, context);
};

/** Finishes erasures that were cut off. One that still fails is left for the next time; `onError` hears of it. */
export const finishErasures = async (
  deps: ErasureDeps,
  onError: (error: unknown) => void,
): Promise<number> => {
  const { database, clock, ids } = deps;
  const { rows } = await database.pool.query<Wish>(
    `select account_id, email_id, asked_by from app.erasure
     where done_at is null and asked_at < $1::timestamptz - interval '1 minute' order by asked_at limit 100`,
    [clock()],
  );
  let finished = 0;
  for (const wish of rows) {
    const context: Context = {
      commandId: ids.uuid(),
      actor: { kind: 'system' },
      at: clock().toISOString(),
      correlationId: ids.uuid(),
    };
    try {
      await carryOut(deps, wish, context);
      finished += 1;
    } catch (error) {
      onError(error);
    }
  }
  return finished;
};
