import { alignSessions } from '#command-api/accounts/align-sessions.ts';
import { type ActingHandler, systemContext } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { keepJob, type NewJob, ToDecide, toDecide } from '#command-api/jobs/jobs.ts';
import { type Handlers, startWorker } from '#command-api/jobs/worker.ts';
import { carryOutCancellation, REASON_LOST } from '#command-api/purchase/cancel.ts';
import { deleteListing } from '#command-api/purchase/delete-listing.ts';
import { followDisputes } from '#command-api/purchase/disputes.ts';
import { lostPayment } from '#command-api/purchase/lost-payment.ts';
import { carryOutPurchase, notStuck, Stuck, settleIntent } from '#command-api/purchase/purchase.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { findUnknownRefunds, followRefunds, payOut } from '#command-api/purchase/refunds.ts';
import { carryOutReinstatement } from '#command-api/purchase/reinstate.ts';
import { tellWaiting } from '#command-api/purchase/waiting.ts';
import { booking } from '#domain/booking/booking.ts';
import { unfilledNow } from '#domain/booking/state.ts';
import { LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { bookingsOut } from '#domain/inventory/state.ts';
import { listing } from '#domain/listing/listing.ts';
import { dueReminder, nextReminder } from '#domain/listing/reminders.ts';
import type { PayoutRest } from '#domain/processes/payout.ts';
import { refund } from '#domain/refund/refund.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import type { Mail } from '#infra/mail/mailer.ts';
import { createReconciler, LOOK_FAR, LOOK_FAR_EVERY, lookBack } from './reconcile.ts';
import { runPolicies } from './run-policies.ts';

export type WorkParts = Pick<
  CommandDeps,
  'clock' | 'log' | 'codec' | 'database' | 'outbox' | 'logger' | 'sessions'
> & {
  readonly purchases: Purchases;
  /** Milliseconds. */
  readonly holdFor?: number | undefined;
  /** Milliseconds. Default 20,000. */
  readonly reconcileEvery?: number;
  onExpired?(holds: number): void;
  /** Milliseconds. Default 500. */
  readonly every?: number;
};

export interface Work {
  wake(): void;
  /** Aborts long work, and resolves when the rest has ended. Call it before draining the command handler. */
  stop(): Promise<void>;
}

/** Milliseconds. */
const PROVIDER_THINKS = 20_000;
const DELETION_WAITS = 10_000;
/** Milliseconds, in case this machine's clock lags behind the database's. */
const CLOCKS_DIFFER = 60_000;

const contextFor = (made: string, clock: Clock): Context => {
  const [event = ''] = made.split(':');
  const context = systemContext(clock, 'jobs');
  return /^[0-9a-f-]{36}$/.test(event) ? { ...context, causationId: event } : context;
};

const dueAgain = (rest: PayoutRest): Date | undefined => {
  if (rest === 'done') return undefined;
  if ('again' in rest) return rest.again;
  throw new Stuck(rest.person);
};

export const createHandlers = (deps: WorkParts): Handlers => {
  const { clock, outbox, logger, purchases } = deps;
  const { handler, gateway, pendingRequests } = purchases;
  const reconciler = createReconciler(purchases, deps.holdFor);
  let lookedFar = Number.NEGATIVE_INFINITY;
  const actingFor = (made: string): ActingHandler => handler.as(contextFor(made, clock));
  /**
   * Asks a person to decide, through a job that fails until the problem is resolved. Repeated findings share
   * the job.
   * @throws ToDecide if this is that job
   */
  const listOnce = async (
    job: string,
    why: string,
    of: Pick<Extract<NewJob, { payload: { intentId: string } }>, 'kind' | 'subject' | 'payload'>,
  ): Promise<void> => {
    const id = toDecide(of.kind, of.subject);
    if (job === id) throw new ToDecide(why);
    const isNew = await pendingRequests.keep({ ...of, id, dueAt: clock() });
    if (isNew) logger.error({ about: of.subject }, why);
  };
  const listPayment = (job: string, intentId: string, why: string): Promise<void> =>
    listOnce(job, why, { kind: 'intent', subject: intentId, payload: { intentId } });
  const followUnknownRefunds = async (
    since: Date,
    acting: ActingHandler,
    ending: AbortSignal,
  ): Promise<void> => {
    for await (const intentId of findUnknownRefunds(purchases, since, acting)) {
      if (ending.aborted) return;
      const id = `refunds-of:${intentId}`;
      const payload = { intentId };
      await pendingRequests.keep({ id, kind: 'provider-refund', subject: intentId, payload, dueAt: clock() });
    }
  };
  const in_ = (milliseconds: number): Date => new Date(clock().getTime() + milliseconds);

  return {
    async attempt({ id, payload }) {
      const { rest, view } = notStuck(await carryOutPurchase(purchases, payload, actingFor(id)));
      if (rest === 'waiting-for-provider') return in_(PROVIDER_THINKS);
      if (rest !== 'waiting-for-payment') return undefined;
      const until = Date.parse(view.checkout?.until ?? '');
      return until > clock().getTime() ? new Date(until) : in_(PROVIDER_THINKS);
    },

    async intent({ id, payload }) {
      const intent = await gateway.retrieveIntent(payload.intentId);
      if (!intent) return undefined;
      const found = await settleIntent(purchases, intent, actingFor(id));
      const lost = found === 'unknown' ? await lostPayment(purchases, intent) : undefined;
      if (lost) await listPayment(id, intent.id, lost);
      return undefined;
    },

    async 'provider-refund'({ id, payload: { intentId } }) {
      const rest = await followRefunds(purchases, intentId, actingFor(id));
      const left = typeof rest === 'object' && 'person' in rest ? rest.person : undefined;
      await pendingRequests.again([
        toDecide('intent', intentId),
        ...(left ? [] : [toDecide('provider-refund', intentId)]),
      ]);
      if (left)
        await listOnce(id, left, { kind: 'provider-refund', subject: intentId, payload: { intentId } });
      return undefined;
    },

    async dispute({ id, payload }) {
      await followDisputes(purchases, payload.intentId, actingFor(id));
      return undefined;
    },

    async cancellation({ id, payload: { bookingId, wish: request } }) {
      const whole = { ...request, reason: REASON_LOST[request.by] };
      const { rest } = await carryOutCancellation(bookingId, whole, actingFor(id));
      if (rest === 'stuck') throw new Stuck(`the cancellation of booking ${bookingId}`);
      return undefined;
    },

    async reinstatement({ id, payload: { bookingId, cancellation } }) {
      const { rest } = await carryOutReinstatement(bookingId, cancellation, actingFor(id));
      if (rest === 'stuck') throw new Stuck(`the reinstatement of booking ${bookingId}`);
      return undefined;
    },

    async refund({ id, payload: { bookingId } }) {
      return dueAgain(await payOut(purchases, bookingId, { task: 'pay' }, actingFor(id)));
    },

    async 'refund-notice'({ id, payload: { bookingId, notice, key, since } }) {
      if (notice === 'refund-completed')
        dueAgain(await payOut(purchases, bookingId, { task: 'mark' }, actingFor(id)));
      const { state } = await handler.state(refund, bookingId);
      const { state: booked } = await handler.state(booking, bookingId);
      const accountId = state.userId ?? booked.facts?.userId;
      // An earlier mail announced the refund.
      if (!accountId || (unfilledNow(booked) && notice === 'refund-completed')) return undefined;
      await outbox.enqueue({ kind: notice, accountId, data: { bookingId }, key: `${key}:${notice}`, since });
      return undefined;
    },

    async deletion({ id, payload: { listingId } }, ending) {
      const rest = await deleteListing(purchases, listingId, actingFor(id), {
        signal: ending,
        onProgress: ({ done, of }) => {
          if (done % 100 === 0 || done === of) logger.info({ listingId, done, of }, 'cancelling bookings');
        },
      });
      if (typeof rest === 'object') throw new Stuck(`listing ${listingId}: ${rest.rejected}`);
      return rest === 'try-later' ? in_(ending.aborted ? 0 : DELETION_WAITS) : undefined;
    },

    async moved({ payload: { listingId, change, since } }) {
      const { state } = await handler.state(inventory, listingId);
      const mails = bookingsOut(state).map((bookingId): Mail => {
        const accountId = state.sales.get(bookingId)?.userId ?? '';
        // One mail for a command that changed both time and venue.
        const key = `${change}:event-moved:${bookingId}`;
        return { kind: 'event-moved', accountId, data: { bookingId }, key, since };
      });
      await outbox.enqueue(mails);
      return undefined;
    },

    async reminder({ payload: { listingId, startsAt } }) {
      const { schedule, archived } = (await handler.state(listing, listingId)).state;
      // A rescheduling has made a job for the new start.
      if (!schedule || archived || schedule.startsAt !== startsAt) return undefined;
      const now = clock().getTime();
      const due = dueReminder(startsAt, now);
      if (due) {
        const { date } = schedule;
        const since = new Date(due.at).toISOString();
        const { state } = await handler.state(inventory, listingId);
        const mails = bookingsOut(state).map((bookingId): Mail => {
          const accountId = state.sales.get(bookingId)?.userId ?? '';
          // Once per date: a new time on the same day sends no second reminder.
          const key = `reminder:${bookingId}:${due.before / 3_600_000}:${date}`;
          return { kind: 'event-reminder', accountId, data: { bookingId, date }, key, since };
        });
        await outbox.enqueue(mails);
      }
      const next = nextReminder(startsAt, now);
      return next === undefined ? undefined : new Date(Math.max(next, now + CLOCKS_DIFFER));
    },

    async waiting({ id, payload }) {
      const { listingId } = payload;
      const wait = await tellWaiting(listingId, actingFor(id));
      if (wait === undefined) return undefined;
      const again = `waiting:${listingId}:${wait}`;
      if (id === again) return in_(wait);
      const subject = String(listingId);
      await pendingRequests.keep({ id: again, kind: 'waiting', subject, payload, dueAt: in_(wait) });
      return undefined;
    },

    async sessions({ payload: { accountId, before } }) {
      await alignSessions(
        { ...deps, handler },
        accountId,
        before === undefined ? undefined : new Date(before),
      );
      return undefined;
    },

    async reconcile({ id }, ending) {
      const begun = clock().getTime();
      const far = begun - lookedFar >= LOOK_FAR_EVERY;
      const since = in_(far ? -LOOK_FAR : -lookBack(deps.holdFor));
      const acting = actingFor(id);
      const found = await reconciler.run(since, acting, ending, (intentId, why) =>
        listPayment(id, intentId, why),
      );
      for (const failure of found.failures) logger.warn(failure, 'an intent could not be reconciled');
      if (far) await followUnknownRefunds(since, acting, ending);
      if (ending.aborted) return in_(0);
      if (far && found.listed === found.lost) lookedFar = begun;
      return in_(deps.reconcileEvery ?? 20_000);
    },
  };
};

/** @throws OtherLogsCheckpoint */
export const startWork = async (deps: WorkParts): Promise<Work> => {
  const { log, codec, database, outbox, logger } = deps;
  const { pool } = database;
  await keepJob(pool, 'reconcile');
  const worker = startWorker({
    pool,
    handlers: createHandlers(deps),
    ...(deps.every === undefined ? {} : { every: deps.every }),
    onFailure: ({ id, kind, tries }, error) => {
      const listed = tries + 1 >= LISTED_FROM;
      logger[listed ? 'error' : 'warn']({ job: id, kind, tries: tries + 1, err: error }, 'a job failed');
    },
    trouble: troubleWith(logger, 'jobs fail, and are tried again'),
  });
  const running = await runPolicies({
    log,
    codec,
    pool,
    outbox,
    onJobs: worker.wake,
    onExpired: (holds) => deps.onExpired?.(holds),
    trouble: troubleWith(logger, 'no jobs are made, and it is tried again'),
  });
  return {
    wake: worker.wake,
    async stop() {
      await running.stop();
      await worker.stop();
    },
  };
};
