/** Cancelling a booking: the steps of `domain/booking/chain.ts`, one after the other, by whoever takes it up. */

import type { Lane, Outcome } from '#command-api/lane/lane.ts';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import {
  type CancellationAnswer,
  type CancellationOrder,
  type CancellationRest,
  type CancellationView,
  type CancellationWish,
  cancellationOrder,
  learnOfCancellation,
  nextCancellationStep,
} from '#domain/booking/chain.ts';
import type { CancelledBy } from '#domain/booking/quote.ts';
import { type BookingState, cancellationNumber } from '#domain/booking/state.ts';
import { type DomainEvent, reject } from '#domain/decider.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { refund } from '#domain/refund/refund.ts';
import type { Clock } from '#infra/clock.ts';
import { type Position, START } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { following } from '#infra/http/context.ts';
import type { CancellationRecord } from './wishes.ts';

export interface CancelDeps {
  readonly lane: Lane;
  readonly clock: Clock;
  /** Keeps the wish before the first step, so that a job finishes what was cut off. */
  readonly wishes: CancellationRecord;
}

/** Who asks for which booking to be cancelled, and why. */
export interface CancelRequest {
  readonly bookingId: number;
  readonly by: CancelledBy;
  readonly reason: string;
  /** When given, the booking must be theirs. */
  readonly userId?: string;
}

/** Where a cancellation stopped, and the booking as it was last seen. */
export interface CancelOutcome {
  readonly rest: CancellationRest;
  readonly booking: BookingState | undefined;
  readonly position: Position;
}

const MOST_STEPS = 20;

/** What a crash leaves of a reason: a person's words are kept in the log alone, sealed. */
export const REASON_LOST: Readonly<Record<CancelledBy, string>> = {
  customer: 'Cancelled by the customer',
  admin: 'Cancelled by an administrator',
  'listing-archived': 'The event was removed',
  'account-erased': 'The account was deleted',
};

type Executed = CancellationAnswer & { readonly position?: Position };

const answerOf = (outcome: Outcome<unknown, DomainEvent>): Executed =>
  outcome.ok ? { done: true, position: outcome.position } : { refused: outcome.rejection.rejected };

const execute = async (
  { lane }: Pick<CancelDeps, 'lane'>,
  order: CancellationOrder,
  context: Context,
): Promise<Executed> => {
  switch (order.to) {
    case 'admission':
      return answerOf(await lane.execute(admission, order.id, order.command, context));
    case 'booking': {
      const outcome = await lane.execute(booking, order.id, order.command, context);
      if (!outcome.ok) return answerOf(outcome);
      return { done: true, booking: outcome.state, position: outcome.position };
    }
    case 'inventory':
      return answerOf(await lane.execute(inventory, order.id, order.command, context));
    case 'refund':
      return answerOf(await lane.execute(refund, order.id, order.command, context));
  }
};

/**
 * Takes a wish to its end. Repeatable, and safe to break off anywhere.
 * @throws Busy, LogUnavailable, OutcomeUnknown: call it again
 */
export const carryOutCancellation = async (
  deps: Pick<CancelDeps, 'lane' | 'clock'>,
  bookingId: number,
  wish: CancellationWish,
  first: Context,
  known?: BookingState,
): Promise<CancelOutcome> => {
  let view: CancellationView = known ? { wish, booking: known } : { wish };
  let context = first;
  let position: Position = START;
  const passed = (to: Position | undefined): void => {
    if (to !== undefined && to > position) position = to;
  };
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = nextCancellationStep(view);
    if (typeof step === 'string' || 'refused' in step) return { rest: step, booking: view.booking, position };
    if (step.do === 'look-at-booking') {
      const reading = await deps.lane.state(booking, bookingId);
      passed(reading.position);
      view = learnOfCancellation(view, step, { done: true, booking: reading.state });
      continue;
    }
    const facts = view.booking?.facts;
    if (!facts) return { rest: { refused: reject('BOOKING_NOT_FOUND') }, booking: view.booking, position };
    const order = cancellationOrder(step, view, facts, view.booking?.cancellation ?? null);
    const answer = await execute(deps, order, context);
    passed(answer.position);
    context = following(context, deps.clock);
    view = learnOfCancellation(view, step, answer);
  }
  throw new Error(`the cancellation of booking ${bookingId} did not end in ${MOST_STEPS} steps`);
};

/**
 * Cancels a booking. What was cancelled by the same hand before is answered like the first time.
 * @returns `rest.refused`: BOOKING_NOT_FOUND, BOOKING_NOT_CANCELLABLE, EVENT_STARTED, ALREADY_SCANNED, BAD_INPUT
 */
export const cancelBooking = async (
  deps: CancelDeps,
  request: CancelRequest,
  context: Context,
): Promise<CancelOutcome> => {
  const { bookingId, by, reason, userId } = request;
  const { state, position } = await deps.lane.state(booking, bookingId);
  const { facts } = state;
  if (!facts || (userId !== undefined && facts.userId !== userId)) {
    return { rest: { refused: reject('BOOKING_NOT_FOUND') }, booking: undefined, position };
  }
  if (state.status !== 'confirmed') {
    const again = state.cancellation?.by === by;
    return {
      rest: again ? 'done' : { refused: reject('BOOKING_NOT_CANCELLABLE') },
      booking: state,
      position,
    };
  }
  const { state: listed } = await deps.lane.state(listing, facts.listingId);
  const wish: CancellationWish = {
    by,
    at: context.at,
    startsAt: listed.schedule?.startsAt ?? facts.startsAt,
    rescheduled: listed.schedule !== null && listed.schedule.startsAt !== facts.startsAt,
    cancellation: cancellationNumber(state),
    reason,
    ...(userId === undefined ? {} : { userId }),
  };
  const step = nextCancellationStep({ wish, booking: state });
  if (typeof step === 'object' && 'refused' in step) return { rest: step, booking: state, position };
  await deps.wishes.keep(bookingId, wish);
  const outcome = await carryOutCancellation(deps, bookingId, wish, context, state);
  if (outcome.rest !== 'stuck') await deps.wishes.fulfilled(bookingId, wish);
  return outcome;
};
