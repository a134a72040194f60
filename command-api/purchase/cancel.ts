import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import { booking } from '#domain/booking/booking.ts';
import type { CancelledBy } from '#domain/booking/events.ts';
import { cancellationQuote } from '#domain/booking/quote.ts';
import { type BookingState, cancellationNumber } from '#domain/booking/state.ts';
import { reject } from '#domain/kernel/decider.ts';
import { type Pence, toDecimal } from '#domain/kernel/money.ts';
import { areSteps } from '#domain/kernel/process.ts';
import { listing } from '#domain/listing/listing.ts';
import {
  type CancellationRequest,
  type CancellationRest,
  cancellation,
} from '#domain/processes/cancellation.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { kept, type PendingRequests, takenOverAt } from './pending-requests.ts';

export interface CancelDeps {
  readonly pendingRequests: PendingRequests;
  readonly clock: Clock;
}

/** Used by jobs: a person's own reason is stored only in the log, sealed. */
export const REASON_LOST: Readonly<Record<CancelledBy, string>> = {
  customer: 'Cancelled by the customer',
  admin: 'Cancelled by an administrator',
  'listing-archived': 'The event was called off',
  'account-erased': 'The account was deleted',
  'account-removed': 'The account was closed',
};

export interface CancelRequest {
  readonly bookingId: number;
  readonly by: CancelledBy;
  readonly reason: string;
  readonly userId?: string;
  /** Minimum refund; a lower one is rejected with REFUND_SMALLER and its amount. */
  readonly refundAmount?: Pence | undefined;
  readonly at?: string;
}

export interface CancelOutcome {
  readonly rest: CancellationRest;
  readonly booking: BookingState | undefined;
}

/**
 * Repeatable and safe to interrupt.
 * @throws Busy, LogUnavailable, OutcomeUnknown: call it again
 */
export const carryOutCancellation = async (
  bookingId: number,
  request: CancellationRequest,
  acting: ActingHandler,
  known?: BookingState,
): Promise<CancelOutcome> => {
  const { rest, view } = await runProcess(cancellation, { bookingId, request, booking: known }, acting);
  return { rest, booking: view.booking };
};

/**
 * A repeat by the same kind of actor gets the first answer.
 * @returns `rest` may be a rejection: BOOKING_NOT_FOUND, BOOKING_NOT_CANCELLABLE, EVENT_STARTED,
 * ALREADY_SCANNED, BAD_INPUT, REFUND_SMALLER
 */
export const cancelBooking = async (
  { pendingRequests, clock }: CancelDeps,
  { bookingId, by, reason, userId, refundAmount = 0, at }: CancelRequest,
  acting: ActingHandler,
): Promise<CancelOutcome> => {
  const { state } = await acting.state(booking, bookingId);
  const { facts } = state;
  if (!facts || (userId !== undefined && facts.userId !== userId))
    return { rest: reject('BOOKING_NOT_FOUND'), booking: undefined };
  if (state.status !== 'confirmed') {
    const again = state.cancellation?.by === by;
    return { rest: again ? 'done' : reject('BOOKING_NOT_CANCELLABLE'), booking: state };
  }
  const { state: listed } = await acting.state(listing, facts.listingId);
  const request: CancellationRequest = {
    by,
    at: at ?? acting.context.at,
    startsAt: listed.schedule?.startsAt ?? facts.startsAt,
    rescheduled: listed.schedule !== null && listed.schedule.startsAt !== facts.startsAt,
    cancellation: cancellationNumber(state),
    reason,
    ...(userId === undefined ? {} : { userId }),
  };
  const first = cancellation.next({ bookingId, request, booking: state });
  if (!areSteps(first)) return { rest: first, booking: state };
  const { refund, percent } = cancellationQuote(state, request);
  if (refund < refundAmount) {
    const now = { refundAmount: toDecimal(refund), refundPercent: percent };
    return { rest: reject('REFUND_SMALLER', now), booking: state };
  }
  const { reason: _, ...sent } = request;
  const job = {
    id: `cancellation:${bookingId}:${request.cancellation}`,
    kind: 'cancellation',
    subject: String(bookingId),
    payload: { bookingId, wish: sent },
    dueAt: takenOverAt(clock),
  } as const;
  return kept(pendingRequests, job, () => carryOutCancellation(bookingId, request, acting, state));
};
