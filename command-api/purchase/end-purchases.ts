/**
 * Closes open checkouts and cancels upcoming bookings of an account being deleted, under the policy or, for
 * a superuser, with a full refund. No stream lists an account's bookings, and a read model may lag or park
 * events, so the policies keep an index, `app.account_booking`, in its checkpoint's transaction. It is
 * complete once the policies reach the head of the log read here. Each booking is decided on its own
 * stream.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ActingHandler, CommandHandler } from '#command-api/commands/command-handler.ts';
import type { Payloads } from '#command-api/jobs/jobs.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { positionOf } from '#infra/subscriptions/subscription.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';
import { carryOutPurchase, type PurchaseDeps } from './purchase.ts';

export interface EndingDeps extends PurchaseDeps, CancelDeps {
  readonly handler: CommandHandler;
  readonly log: EventLog;
  readonly pool: Pool;
}

/** Milliseconds. */
const PATIENCE = 10_000;
const ASK_EVERY = 25;

/**
 * Waits until the policies reach the current head of the log.
 * @throws Refusal UNAVAILABLE
 */
export const caughtUp = async ({ log, pool }: Pick<EndingDeps, 'log' | 'pool'>): Promise<void> => {
  const head = await log.head();
  const deadline = Date.now() + PATIENCE;
  while ((await positionOf(pool, 'jobs')) < head) {
    if (Date.now() > deadline) throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    await pause(ASK_EVERY);
  }
};

const closeCheckouts = async (
  deps: EndingDeps,
  accountId: string,
  acting: ActingHandler,
): Promise<unknown[]> => {
  const { rows } = await deps.pool.query<{ payload: Payloads['attempt'] }>(
    `select payload from app.job where kind = 'attempt' and payload->>'userId' = $1`,
    [accountId],
  );
  const left: unknown[] = [];
  for (const { payload } of rows) {
    try {
      const { rest, view } = await carryOutPurchase(deps, payload, acting, { close: 'erased' });
      if (view.stuck) throw new Refusal(view.stuck);
      if (rest === 'waiting-for-provider') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    } catch (error) {
      left.push(error);
    }
  }
  return left;
};

/**
 * Call it before the account's key is destroyed. Repeatable; an open checkout does not delay the
 * cancellations.
 * @param by `account-erased`: by its owner; `account-removed`: by a superuser
 * @param at time of the request (ISO), which decides the refunds
 * @throws Refusal UNAVAILABLE and others if something can't end yet: call it again
 */
export const endPurchases = async (
  deps: EndingDeps,
  accountId: string,
  acting: ActingHandler,
  by: 'account-erased' | 'account-removed',
  at: string,
): Promise<void> => {
  await caughtUp(deps);
  const [left] = await closeCheckouts(deps, accountId, acting);
  // An attempt may have been paid and become a booking.
  await caughtUp(deps);
  const { rows } = await deps.pool.query<{ booking_id: number }>(
    'select booking_id from app.account_booking where account_id = $1 order by booking_id',
    [accountId],
  );
  for (const { booking_id: bookingId } of rows) {
    // A booking that has started, was scanned or is cancelled is rejected and stays.
    const request = { bookingId, by, reason: REASON_LOST[by], userId: accountId, at };
    const { rest } = await cancelBooking(deps, request, acting);
    if (rest === 'stuck') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
  }
  if (left) throw left;
};
