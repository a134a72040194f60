/**
 * Ends the purchases of an account that is being deleted: closes its open checkouts, and cancels its upcoming bookings, under the
 * policy or, if a superuser deletes it, with a full refund.
 *
 * No stream lists the bookings of an account, and a read model must not decide. So the reactor keeps an index,
 * `app.account_booking`, in the transaction of its checkpoint. Here the head of the log is read first; once the reactor has reached
 * it, the index is complete. Each booking is then decided on its own stream. (A read model may park events, and may be behind.)
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Payloads } from '#command-api/jobs/jobs.ts';
import type { ActingLane, Lane } from '#command-api/lane/lane.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { positionOf } from '#infra/subscriptions/subscription.ts';
import { type AdvanceDeps, advance } from './advance.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';

export interface EndingDeps extends AdvanceDeps, CancelDeps {
  readonly lane: Lane;
  readonly log: EventLog;
  readonly pool: Pool;
}

/** How many milliseconds the reactor may need to catch up. */
const PATIENCE = 10_000;
const ASK_EVERY = 25;

/** Waits until the reactor has reached the present head of the log. @throws Refusal UNAVAILABLE */
export const caughtUp = async ({ log, pool }: Pick<EndingDeps, 'log' | 'pool'>): Promise<void> => {
  const head = await log.head();
  const deadline = Date.now() + PATIENCE;
  while ((await positionOf(pool, 'jobs')) < head) {
    if (Date.now() > deadline) throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    await pause(ASK_EVERY);
  }
};

/** Closes the checkouts that can be closed now. @returns why others can't be */
const closeCheckouts = async (
  deps: EndingDeps,
  accountId: string,
  acting: ActingLane,
): Promise<unknown[]> => {
  // There is a job for every attempt that is not settled.
  const { rows } = await deps.pool.query<{ payload: Payloads['attempt'] }>(
    `select payload from app.job where kind = 'attempt' and payload->>'userId' = $1`,
    [accountId],
  );
  const left: unknown[] = [];
  for (const { payload } of rows) {
    try {
      const { rest, view } = await advance(deps, payload, acting, { known: { close: 'erased' } });
      if (view.stuck) throw new Refusal(view.stuck);
      if (rest === 'waiting-for-provider') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    } catch (error) {
      left.push(error);
    }
  }
  return left;
};

/**
 * Ends the purchases of an account, before its key is destroyed. It can be repeated.
 * @param by `account-erased`: the person deletes their account; `account-removed`: a superuser does
 * @param at when they asked for it, an ISO instant: refunds go by it
 * @throws Refusal UNAVAILABLE and others if something can't be ended yet: call it again. A checkout that can't be does not hold up the
 *   cancellations.
 */
export const endPurchases = async (
  deps: EndingDeps,
  accountId: string,
  acting: ActingLane,
  by: 'account-erased' | 'account-removed',
  at: string,
): Promise<void> => {
  await caughtUp(deps);
  const [left] = await closeCheckouts(deps, accountId, acting);
  // An attempt may have been paid, and become a booking.
  await caughtUp(deps);
  const { rows } = await deps.pool.query<{ booking_id: number }>(
    'select booking_id from app.account_booking where account_id = $1 order by booking_id',
    [accountId],
  );
  for (const { booking_id: bookingId } of rows) {
    // A booking that has started, was scanned or is cancelled is rejected, and stays as it is.
    const request = { bookingId, by, reason: REASON_LOST[by], userId: accountId, at };
    const { rest } = await cancelBooking(deps, request, acting);
    if (rest === 'stuck') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
  }
  if (left) throw left;
};
