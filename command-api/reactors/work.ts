/** The work behind the requests, in one process of any number: the reactor that makes jobs, and a worker that does them. */
import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { advance, notStuck, Stuck, settleIntent } from '#command-api/purchase/advance.ts';
import { carryOutCancellation, REASON_LOST } from '#command-api/purchase/cancel.ts';
import { deleteListing } from '#command-api/purchase/delete-listing.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { carryOutRefund, followRefunds, markRefunded } from '#command-api/purchase/refunds.ts';
import { booking } from '#domain/booking/booking.ts';
import { refund } from '#domain/refund/refund.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { complaints } from '#infra/observability/complaints.ts';
import { LISTED_FROM } from './jobs.ts';
import { startReactor } from './reactor.ts';
import { createReconciler, LOOK_BACK, LOOK_FAR, LOOK_FAR_EVERY, type Reconciled } from './reconcile.ts';
import { type Handlers, keepJob, startWorker } from './worker.ts';

/** What the work outside requests is made from. */
export type WorkParts = Pick<CommandDeps, 'clock' | 'log' | 'codec' | 'database' | 'outbox' | 'logger'> & {
  readonly purchases: Purchases;
  /** How often provider and log are compared, in milliseconds. Default 20,000. */
  readonly reconcileEvery?: number;
  /** Called after each comparison. */
  onReconciled?(found: Reconciled): void;
  /** Called with how many holds have just run out. */
  onExpired?(holds: number): void;
  /** How often due jobs are looked for, in milliseconds. Default 500. */
  readonly every?: number;
};

/** The reactor, the worker and the timers of one process. */
export interface Work {
  /** A job was just made; look for it at once. */
  wake(): void;
  /** Takes no more, and resolves when what is under way has ended. Stop it before the lane is drained. */
  stop(): Promise<void>;
}

/** How long an attempt is left alone while the provider can't say what became of its intent, in milliseconds. */
const PROVIDER_THINKS = 20_000;
const DELETION_WAITS = 10_000;

/** Who jobs act as. `made` is the job's id: `{event id}:{kind}` where an event made it. */
const contextFor = (made: string, at: Date): Context => {
  const [event = ''] = made.split(':');
  const caused = /^[0-9a-f-]{36}$/.test(event) ? { causationId: event } : {};
  return {
    commandId: crypto.randomUUID(),
    actor: { kind: 'system', id: 'jobs' },
    at: at.toISOString(),
    correlationId: crypto.randomUUID(),
    ...caused,
  };
};

/** What each kind of job does. */
export const createHandlers = (deps: WorkParts): Handlers => {
  const { clock, outbox, logger, purchases } = deps;
  const { parts } = purchases;
  const { lane, gateway } = parts;
  const reconciler = createReconciler(parts);
  let lookedFar = Number.NEGATIVE_INFINITY;
  const actingFor = (made: string): ActingLane => lane.as(contextFor(made, clock()));
  const in_ = (milliseconds: number): Date => new Date(clock().getTime() + milliseconds);

  return {
    async attempt({ id, payload }) {
      const { rest, view } = notStuck(await advance(parts, payload, actingFor(id)));
      if (rest === 'waiting-for-provider') return in_(PROVIDER_THINKS);
      if (rest !== 'waiting-for-payment') return undefined;
      const until = Date.parse(view.checkout?.until ?? '');
      return until > clock().getTime() ? new Date(until) : in_(PROVIDER_THINKS);
    },

    async intent({ id, payload }) {
      const intent = await gateway.retrieveIntent(payload.intentId);
      if (!intent) return undefined;
      const found = await settleIntent(parts, intent, actingFor(id));
      if (found === 'unknown') logger.warn({ intent: intent.id }, 'a payment that is nobody’s here');
      return undefined;
    },

    async 'provider-refund'({ id, payload }) {
      await followRefunds(parts, payload.intentId, actingFor(id));
      return undefined;
    },

    async cancellation({ id, payload: { bookingId, wish } }) {
      const whole = { ...wish, reason: REASON_LOST[wish.by] };
      const { rest } = await carryOutCancellation(bookingId, whole, actingFor(id));
      if (rest === 'stuck') throw new Stuck(`the cancellation of booking ${bookingId}`);
      return undefined;
    },

    refund: ({ id, payload }) => carryOutRefund(parts, payload.bookingId, actingFor(id)),

    async 'refund-notice'({ id, payload: { bookingId, notice, key, since } }) {
      if (notice === 'refund-completed') await markRefunded(bookingId, actingFor(id));
      const { state } = await lane.state(refund, bookingId);
      const { state: booked } = await lane.state(booking, bookingId);
      const accountId = state.userId ?? booked.facts?.userId;
      // Unfilled bookings were told of their refund by the mail that said why.
      if (!accountId || (booked.unfilled && notice === 'refund-completed')) return undefined;
      await outbox.enqueue({ kind: notice, accountId, data: { bookingId }, key: `${key}:${notice}`, since });
      return undefined;
    },

    async deletion({ id, payload: { listingId } }) {
      const rest = await deleteListing(parts, listingId, actingFor(id), {
        onProgress: ({ done, of }) => {
          if (done % 100 === 0 || done === of) logger.info({ listingId, done, of }, 'cancelling bookings');
        },
      });
      if (typeof rest === 'object') throw new Stuck(`listing ${listingId}: ${rest.rejected}`);
      return rest === 'try-later' ? in_(DELETION_WAITS) : undefined;
    },

    async reconcile({ id }) {
      const begun = clock().getTime();
      const far = begun - lookedFar >= LOOK_FAR_EVERY;
      const found = await reconciler.run(in_(far ? -LOOK_FAR : -LOOK_BACK), actingFor(id));
      if (far) lookedFar = begun;
      for (const failure of found.failures) logger.warn(failure, 'an intent could not be reconciled');
      deps.onReconciled?.(found);
      return in_(deps.reconcileEvery ?? 20_000);
    },
  };
};

/**
 * Starts reactor and worker in this process.
 * @throws OtherLogsCheckpoint
 */
export const startWork = async (deps: WorkParts): Promise<Work> => {
  const { log, codec, database, outbox, logger } = deps;
  const { pool } = database;
  const onError = complaints(logger, 'jobs were interrupted');
  await keepJob(pool, 'reconcile');
  const worker = startWorker({
    pool,
    handlers: createHandlers(deps),
    ...(deps.every === undefined ? {} : { every: deps.every }),
    onFailure: ({ id, kind, tries }, error) => {
      const listed = tries + 1 >= LISTED_FROM;
      logger[listed ? 'error' : 'warn']({ job: id, kind, tries: tries + 1, err: error }, 'a job failed');
    },
    onError,
  });
  const reactor = await startReactor({
    log,
    codec,
    pool,
    outbox,
    onJobs: worker.wake,
    onExpired: (holds) => deps.onExpired?.(holds),
    onError,
  });
  return {
    wake: worker.wake,
    async stop() {
      await reactor.stop();
      await worker.stop();
    },
  };
};
