/** Cancelling a booking: the steps of `domain/booking/chain.ts`, one after the other, by whoever takes it up. */
import type { ActingLane, Outcome } from '#command-api/lane/lane.ts';
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
import type { CancellationRecord } from './wishes.ts';

export interface CancelDeps {
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
}

const MOST_STEPS = 20;

/** What a crash leaves of a reason: a person's words are kept in the log alone, sealed. */
export const REASON_LOST: Readonly<Record<CancelledBy, string>> = {
  customer: 'Cancelled by the customer',
  admin: 'Cancelled by an administrator',
  'listing-archived': 'The event was removed',
  'account-erased': 'The account was deleted',
};

const answerOf = (outcome: Outcome<unknown, DomainEvent>): CancellationAnswer =>
  outcome.ok ? { done: true } : { refused: outcome.rejection.rejected };

const execute = async (order: CancellationOrder, acting: ActingLane): Promise<CancellationAnswer> => {
  switch (order.to) {
    case 'admission':
      return answerOf(await acting.ask(admission, order.id, order.command));
    case 'booking': {
      const outcome = await acting.ask(booking, order.id, order.command);
      if (!outcome.ok) return answerOf(outcome);
      return { done: true, booking: outcome.state };
    }
    case 'inventory':
      return answerOf(await acting.ask(inventory, order.id, order.command));
    case 'refund':
      return answerOf(await acting.ask(refund, order.id, order.command));
  }
};

/**
 * Takes a wish to its end. Repeatable, and safe to break off anywhere.
 * @throws Busy, LogUnavailable, OutcomeUnknown: call it again
 */
export const carryOutCancellation = async (
  bookingId: number,
  wish: CancellationWish,
  acting: ActingLane,
  known?: BookingState,
): Promise<CancelOutcome> => {
  let view: CancellationView = known ? { wish, booking: known } : { wish };
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = nextCancellationStep(view);
    if (typeof step === 'string' || 'refused' in step) return { rest: step, booking: view.booking };
    if (step.do === 'look-at-booking') {
      const reading = await acting.state(booking, bookingId);
      view = learnOfCancellation(view, step, { done: true, booking: reading.state });
      continue;
    }
    const facts = view.booking?.facts;
    if (!facts) return { rest: { refused: reject('BOOKING_NOT_FOUND') }, booking: view.booking };
    const order = cancellationOrder(step, view, facts, view.booking?.cancellation ?? null);
    view = learnOfCancellation(view, step, await execute(order, acting));
  }
  throw new Error(`the cancellation of booking ${bookingId} did not end in ${MOST_STEPS} steps`);
};

/**
 * Cancels a booking. What was cancelled by the same hand before is answered like the first time.
 * @returns `rest.refused`: BOOKING_NOT_FOUND, BOOKING_NOT_CANCELLABLE, EVENT_STARTED, ALREADY_SCANNED, BAD_INPUT
 */
export const cancelBooking = async (
  { wishes }: CancelDeps,
  request: CancelRequest,
  acting: ActingLane,
): Promise<CancelOutcome> => {
  const { bookingId, by, reason, userId } = request;
  const { at } = acting.context;
  const { state } = await acting.state(booking, bookingId);
  const { facts } = state;
  if (!facts || (userId !== undefined && facts.userId !== userId)) {
    return { rest: { refused: reject('BOOKING_NOT_FOUND') }, booking: undefined };
  }
  if (state.status !== 'confirmed') {
    const again = state.cancellation?.by === by;
    return { rest: again ? 'done' : { refused: reject('BOOKING_NOT_CANCELLABLE') }, booking: state };
  }
  const { state: listed } = await acting.state(listing, facts.listingId);
  const wish: CancellationWish = {
    by,
    at,
    startsAt: listed.schedule?.startsAt ?? facts.startsAt,
    rescheduled: listed.schedule !== null && listed.schedule.startsAt !== facts.startsAt,
    cancellation: cancellationNumber(state),
    reason,
    ...(userId === undefined ? {} : { userId }),
  };
  const step = nextCancellationStep({ wish, booking: state });
  if (typeof step === 'object' && 'refused' in step) return { rest: step, booking: state };
  await wishes.keep(bookingId, wish);
  const outcome = await carryOutCancellation(bookingId, wish, acting, state);
  if (outcome.rest !== 'stuck') await wishes.fulfilled(bookingId, wish);
  return outcome;
};
