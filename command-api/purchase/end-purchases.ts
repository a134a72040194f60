/**
 * What a deleted account was buying and has booked: open checkouts are closed, upcoming bookings cancelled under
 * the policy.
 *
 * Which those are can't be read from a stream, since bookings and checkouts have streams of their own, and a read
 * model must not decide. So the reactors keep an index, `app.account_booking`, in the transaction of their checkpoint; here
 * the head of the log is taken first and the index waited for, after which it is complete; and each booking is then decided on its own
 * stream. (The read model would do as a list too, but a projection may park an event, and lags by design.)
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ActingLane, Lane } from '#command-api/lane/lane.ts';
import type { Payloads } from '#command-api/reactors/jobs.ts';
import { reactedTo } from '#command-api/reactors/reactor.ts';
import { Refusal } from '#domain/refusal.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { type AdvanceDeps, advance } from './advance.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';

export interface EndingDeps extends AdvanceDeps, CancelDeps {
  readonly lane: Lane;
  readonly log: EventLog;
  readonly pool: Pool;
}

/** How long the reactors may need to catch up, in milliseconds. */
const PATIENCE = 10_000;
const ASK_EVERY = 25;

/** Waits until everything that is in the log now has been reacted to. @throws Refusal UNAVAILABLE */
const caughtUp = async ({ log, pool }: EndingDeps): Promise<void> => {
  const head = await log.head();
  const deadline = Date.now() + PATIENCE;
  while ((await reactedTo(pool)) < head) {
    if (Date.now() > deadline) throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    await pause(ASK_EVERY);
  }
};

const closeCheckouts = async (deps: EndingDeps, accountId: string, acting: ActingLane): Promise<void> => {
  // Every attempt that is not settled has a job.
  const { rows } = await deps.pool.query<{ payload: Payloads['attempt'] }>(
    `select payload from app.job where kind = 'attempt' and payload->>'userId' = $1`,
    [accountId],
  );
  for (const { payload } of rows) {
    const { rest, view } = await advance(deps, payload, acting, { known: { close: 'erased' } });
    if (view.stuck) throw new Refusal(view.stuck);
    if (rest === 'waiting-for-provider') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
  }
};

/**
 * Ends what an account has with us, before its key goes. Repeatable.
 * @throws Refusal UNAVAILABLE when something could not be ended yet: call it again
 */
export const endPurchases = async (
  deps: EndingDeps,
  accountId: string,
  acting: ActingLane,
): Promise<void> => {
  await caughtUp(deps);
  await closeCheckouts(deps, accountId, acting);
  // Closing may have found money, and made a booking of it.
  await caughtUp(deps);
  const { rows } = await deps.pool.query<{ booking_id: number }>(
    'select booking_id from app.account_booking where account_id = $1 order by booking_id',
    [accountId],
  );
  const reason = REASON_LOST['account-erased'];
  for (const { booking_id: bookingId } of rows) {
    // What has started, was scanned or is cancelled already is refused, and stays as it is.
    const request = { bookingId, by: 'account-erased', reason, userId: accountId } as const;
    const { rest } = await cancelBooking(deps, request, acting);
    if (rest === 'stuck') throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
  }
  await deps.pool.query('delete from app.account_booking where account_id = $1', [accountId]);
};
