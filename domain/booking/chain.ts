/**
 * Cancelling as a chain of steps: admission voided (refused once somebody is in), booking cancelled,
 * tickets returned, refund asked for. The wish is recorded with its time and its number before the first step,
 * so that whoever takes it up again asks for the very same. Each target answers a repeat with success.
 */
import type { AdmissionCommand } from '#domain/admission/admission.ts';
import { isRejection, type Rejection, reject } from '#domain/decider.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { InventoryCommand } from '#domain/inventory/inventory.ts';
import { erased } from '#domain/personal.ts';
import type { ProcessingType } from '#domain/refund/events.ts';
import type { RefundCommand } from '#domain/refund/refund.ts';
import { type BookingCommand, booking } from './booking.ts';
import type { BookingFacts } from './events.ts';
import type { BookingState, Cancellation } from './state.ts';

/** What was asked for, as it was first asked for. `cancellation` comes from `cancellationNumber`. */
export type CancellationWish = Omit<Extract<BookingCommand, { type: 'CancelBooking' }>, 'type' | 'admitted'>;

/** What is known of a cancellation: `booking` by looking or from the last command, the rest by the steps of this run. */
export interface CancellationView {
  readonly wish: CancellationWish;
  readonly booking?: BookingState;
  readonly admission?: 'voided' | 'admitted';
  readonly tickets?: 'returned';
  readonly refund?: 'requested';
  /** The person's key is gone, so that no reason can be recorded any more. */
  readonly erased?: true;
  readonly stuck?: ErrorCode;
}

/** What a cancellation may have to do next. */
export type CancellationStep =
  | { readonly do: 'look-at-booking' }
  | { readonly do: 'void-admission' }
  | { readonly do: 'cancel-booking' }
  | { readonly do: 'return-tickets' }
  | { readonly do: 'request-refund' };

/** `refused`: nothing was changed. `done`: cancelled, or the wish is older than a cancellation or reinstatement since. */
export type CancellationRest = 'done' | 'stuck' | { readonly refused: Rejection };

/** The next missing step of a cancellation, or why there is none. */
export const nextCancellationStep = (view: CancellationView): CancellationStep | CancellationRest => {
  const { wish, booking: state } = view;
  if (view.stuck) return 'stuck';
  if (!state) return { do: 'look-at-booking' };
  if (!state.facts) return { refused: reject('BOOKING_NOT_FOUND') };
  if (state.cancellations > wish.cancellation) return 'done';
  if (state.cancellations === wish.cancellation) {
    if (state.status === 'confirmed') return 'done';
    if (view.tickets === undefined) return { do: 'return-tickets' };
    const owed = state.status === 'cancelled' && state.facts.quote.total > 0;
    return owed && view.refund === undefined ? { do: 'request-refund' } : 'done';
  }
  // Asked before anything is voided, so that a refusal leaves everything as it was.
  const answer = booking.decide(state, cancelCommand(wish, view.admission === 'admitted'));
  if (isRejection(answer)) return { refused: answer };
  return view.admission === undefined ? { do: 'void-admission' } : { do: 'cancel-booking' };
};

const cancelCommand = (wish: CancellationWish, admitted: boolean): BookingCommand => ({
  type: 'CancelBooking',
  ...wish,
  admitted,
});

/** A command and the instance that it is for. */
export type CancellationOrder =
  | { readonly to: 'admission'; readonly id: number; readonly command: AdmissionCommand }
  | { readonly to: 'booking'; readonly id: number; readonly command: BookingCommand }
  | { readonly to: 'inventory'; readonly id: number; readonly command: InventoryCommand }
  | { readonly to: 'refund'; readonly id: number; readonly command: RefundCommand };

/** The steps that are commands. */
export type CancellationCommandStep = Exclude<CancellationStep, { do: 'look-at-booking' }>;

/** What a step asks of whom. */
export const cancellationOrder = (
  step: CancellationCommandStep,
  { wish, erased: keyGone }: CancellationView,
  facts: BookingFacts,
  outcome: Cancellation | null,
): CancellationOrder => {
  const { bookingId, listingId } = facts;
  const { cancellation } = wish;
  switch (step.do) {
    case 'void-admission':
      return {
        to: 'admission',
        id: bookingId,
        command: { type: 'Void', bookingId, listingId, why: 'cancelled', cancellation },
      };
    case 'cancel-booking':
      return { to: 'booking', id: bookingId, command: cancelCommand(wish, false) };
    case 'return-tickets':
      return { to: 'inventory', id: listingId, command: { type: 'ReturnTickets', bookingId, cancellation } };
    case 'request-refund': {
      const { userId, intentId, quote } = facts;
      const asked = outcome ?? { by: wish.by, refund: 0, percent: 0 };
      const command: RefundCommand = {
        type: 'RequestRefund',
        bookingId,
        userId,
        listingId,
        intentId,
        amount: asked.refund,
        paid: quote.total,
        reason: keyGone ? erased : wish.reason.trim(),
        processingType: processingType(asked),
        cancellation,
      };
      return { to: 'refund', id: bookingId, command };
    }
  }
};

/** Who decides on the refund of a cancellation: the rule, but a person where an administrator cancelled. */
export const processingType = ({ by, percent }: Pick<Cancellation, 'by' | 'percent'>): ProcessingType => {
  if (by === 'admin') return 'manual';
  return percent > 0 ? 'auto_approved' : 'auto_denied';
};

/** What came of a step: the booking's state where it was looked at or commanded. */
export type CancellationAnswer =
  | { readonly done: true; readonly booking?: BookingState }
  | { readonly refused: ErrorCode };

const KNOWN_AFTER: Readonly<Record<CancellationStep['do'], Partial<CancellationView>>> = {
  'look-at-booking': {},
  'void-admission': { admission: 'voided' },
  'cancel-booking': {},
  'return-tickets': { tickets: 'returned' },
  'request-refund': { refund: 'requested' },
};

/** What is known after a step. */
export const learnOfCancellation = (
  view: CancellationView,
  step: CancellationStep,
  answer: CancellationAnswer,
): CancellationView => {
  if (!('refused' in answer)) {
    return { ...view, ...KNOWN_AFTER[step.do], booking: answer.booking ?? view.booking };
  }
  if (step.do === 'void-admission' && answer.refused === 'ALREADY_SCANNED') {
    return { ...view, admission: 'admitted' };
  }
  if (step.do === 'request-refund' && answer.refused === 'ERASED' && !view.erased) {
    return { ...view, erased: true };
  }
  return { ...view, stuck: answer.refused };
};
