import { randomUUID } from 'node:crypto';
import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import { booking } from '#domain/booking/booking.ts';
import { cancellationNumber } from '#domain/booking/state.ts';
import { areSteps } from '#domain/kernel/process.ts';
import { type ReinstatementRest, reinstatement } from '#domain/processes/reinstatement.ts';
import type { CancelDeps } from './cancel.ts';
import { kept, takenOverAt } from './pending-requests.ts';

/**
 * Repeatable and safe to interrupt.
 * @param cancellation number of the cancellation to undo
 * @throws Busy, LogUnavailable, OutcomeUnknown: call it again
 */
export const carryOutReinstatement = (bookingId: number, cancellation: number, acting: ActingHandler) =>
  runProcess(reinstatement, { bookingId, cancellation, withdrawal: null }, acting);

/**
 * @returns a rejection if nothing changed: BOOKING_NOT_FOUND, SOLD_OUT, SALES_CLOSED, REFUND_IN_PROGRESS,
 * REFUND_SETTLED; REFUND_NOT_FOUND or CONFLICT while the cancellation is in progress
 */
export const reinstateBooking = async (
  { pendingRequests, clock }: CancelDeps,
  bookingId: number,
  acting: ActingHandler,
): Promise<ReinstatementRest> => {
  const { state } = await acting.state(booking, bookingId);
  const cancellation = cancellationNumber(state);
  const first = reinstatement.next({ bookingId, cancellation, booking: state, withdrawal: null });
  if (!areSteps(first)) return first;
  const job = {
    // One job per request: a rejected one must not end another in progress.
    id: `reinstatement:${bookingId}:${randomUUID()}`,
    kind: 'reinstatement',
    subject: String(bookingId),
    payload: { bookingId, cancellation },
    dueAt: takenOverAt(clock),
  } as const;
  const { rest } = await kept(pendingRequests, job, () =>
    carryOutReinstatement(bookingId, cancellation, acting),
  );
  return rest;
};
