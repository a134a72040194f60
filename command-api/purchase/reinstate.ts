/** Reinstates bookings (`domain/processes/reinstatement.ts`), and keeps each request until it is carried out. */
import { randomUUID } from 'node:crypto';
import type { ActingLane } from '#command-api/lane/lane.ts';
import { runChain } from '#command-api/lane/run-chain.ts';
import { booking } from '#domain/booking/booking.ts';
import { cancellationNumber } from '#domain/booking/state.ts';
import { areSteps } from '#domain/kernel/chain.ts';
import { type ReinstatementRest, reinstatement } from '#domain/processes/reinstatement.ts';
import type { CancelDeps } from './cancel.ts';
import { kept, takenOverAt } from './wishes.ts';

/**
 * Carries out a reinstatement. It can be repeated, and interrupted anywhere.
 * @param cancellation the number of the cancellation to undo
 * @throws Busy, LogUnavailable, OutcomeUnknown: call it again
 */
export const carryOutReinstatement = (bookingId: number, cancellation: number, acting: ActingLane) =>
  runChain(reinstatement, { bookingId, cancellation, withdrawal: null }, acting);

/**
 * Makes a cancelled booking valid again: its refund is withdrawn, its tickets are taken again, its codes admit.
 * @returns a rejection if nothing was changed: BOOKING_NOT_FOUND, SOLD_OUT, SALES_CLOSED, REFUND_IN_PROGRESS, REFUND_SETTLED;
 * REFUND_NOT_FOUND or CONFLICT while the cancellation is still under way
 */
export const reinstateBooking = async (
  { wishes, clock }: CancelDeps,
  bookingId: number,
  acting: ActingLane,
): Promise<ReinstatementRest> => {
  const { state } = await acting.state(booking, bookingId);
  const cancellation = cancellationNumber(state);
  // No job is needed if it is rejected at once.
  const first = reinstatement.next({ bookingId, cancellation, booking: state, withdrawal: null });
  if (!areSteps(first)) return first;
  const job = {
    // Each request has a job of its own: one that is rejected must not end another that is under way.
    id: `reinstatement:${bookingId}:${randomUUID()}`,
    kind: 'reinstatement',
    subject: String(bookingId),
    payload: { bookingId, cancellation },
    dueAt: takenOverAt(clock),
  } as const;
  const { rest } = await kept(wishes, job, () => carryOutReinstatement(bookingId, cancellation, acting));
  return rest;
};
