/**
 * Making a cancelled booking good again as a chain of steps: a look whether tickets are left, before
 * anything is changed; the refund is withdrawn (refused once it is with the provider, and until the cancellation has
 * come to its end); tickets are taken again (if others were quicker, the refund goes back to review); the codes
 * admit again, the booking is reinstated. Each target answers a repeat with success.
 */
import type { AdmissionCommand } from '#domain/admission/admission.ts';
import { isRejection, type Rejection, reject } from '#domain/decider.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { type InventoryCommand, inventory } from '#domain/inventory/inventory.ts';
import type { InventoryState } from '#domain/inventory/state.ts';
import type { RefundCommand } from '#domain/refund/refund.ts';
import type { BookingCommand } from './booking.ts';
import type { BookingFacts } from './events.ts';
import type { BookingState } from './state.ts';

/** What is known of a reinstatement. `cancellation`: the one that is to be undone, `cancellationNumber` when it was asked for. */
export interface ReinstatementView {
  readonly cancellation: number;
  readonly booking?: BookingState;
  readonly inventory?: InventoryState;
  readonly refund?: 'withdrawn' | 'back-in-review' | { readonly refused: ErrorCode };
  readonly tickets?: 'retaken' | { readonly refused: ErrorCode };
  readonly admission?: 'restored';
  readonly stuck?: ErrorCode;
}

/** What a reinstatement may have to do next. */
export type ReinstatementStep =
  | { readonly do: 'look-at-booking' }
  | { readonly do: 'look-at-inventory' }
  | { readonly do: 'withdraw-refund' }
  | { readonly do: 'retake-tickets' }
  | { readonly do: 'reset-refund' }
  | { readonly do: 'reinstate' }
  | { readonly do: 'restore-admission' };

/** `refused`: nothing was changed, or it was taken back. `done`: confirmed, or cancelled anew since. */
export type ReinstatementRest = 'done' | 'stuck' | { readonly refused: Rejection };

/** The next missing step of a reinstatement, or why there is none. */
export const nextReinstatementStep = (view: ReinstatementView): ReinstatementStep | ReinstatementRest => {
  const { booking: state, refund, tickets } = view;
  if (view.stuck) return 'stuck';
  if (!state) return { do: 'look-at-booking' };
  if (!state.facts) return { refused: reject('BOOKING_NOT_FOUND') };
  if (state.cancellations !== view.cancellation) return 'done';
  if (state.status === 'refunded') return { refused: reject('REFUND_SETTLED') };
  if (state.status === 'confirmed') return 'done';
  if (typeof refund === 'object') return { refused: reject(refund.refused) };
  if (refund === undefined && tickets === undefined) {
    if (!view.inventory) return { do: 'look-at-inventory' };
    const answer = inventory.decide(view.inventory, retakeCommand(view.cancellation, state.facts));
    if (isRejection(answer)) return { refused: answer };
    if (state.facts.quote.total > 0) return { do: 'withdraw-refund' };
  }
  if (tickets === undefined) return { do: 'retake-tickets' };
  if (tickets === 'retaken') {
    // Before the booking stands again: after it, the next cancellation could void what this would then restore.
    return view.admission ? { do: 'reinstate' } : { do: 'restore-admission' };
  }
  if (refund === 'withdrawn') return { do: 'reset-refund' };
  return { refused: reject(tickets.refused) };
};

const retakeCommand = (
  cancellation: number,
  { bookingId, userId, quote: { quantity } }: BookingFacts,
): InventoryCommand => ({ type: 'RetakeTickets', bookingId, userId, quantity, cancellation });

/** A command and the instance that it is for. */
export type ReinstatementOrder =
  | { readonly to: 'refund'; readonly id: number; readonly command: RefundCommand }
  | { readonly to: 'inventory'; readonly id: number; readonly command: InventoryCommand }
  | { readonly to: 'booking'; readonly id: number; readonly command: BookingCommand }
  | { readonly to: 'admission'; readonly id: number; readonly command: AdmissionCommand };

/** The steps that are commands. */
export type ReinstatementCommandStep = Exclude<
  ReinstatementStep,
  { do: 'look-at-booking' | 'look-at-inventory' }
>;

/** What a step asks of whom. */
export const reinstatementOrder = (
  step: ReinstatementCommandStep,
  { cancellation }: ReinstatementView,
  facts: BookingFacts,
): ReinstatementOrder => {
  const { bookingId, listingId } = facts;
  switch (step.do) {
    case 'withdraw-refund':
      return { to: 'refund', id: bookingId, command: { type: 'Withdraw', cancellation } };
    case 'reset-refund':
      return { to: 'refund', id: bookingId, command: { type: 'Reset' } };
    case 'retake-tickets':
      return { to: 'inventory', id: listingId, command: retakeCommand(cancellation, facts) };
    case 'reinstate':
      return { to: 'booking', id: bookingId, command: { type: 'Reinstate', cancellation } };
    case 'restore-admission':
      return {
        to: 'admission',
        id: bookingId,
        command: { type: 'Restore', bookingId, listingId, cancellation },
      };
  }
};

/** What came of a step: the booking's state where it was looked at or commanded, the inventory's where it was looked at. */
export type ReinstatementAnswer =
  | { readonly done: true; readonly booking?: BookingState; readonly inventory?: InventoryState }
  | { readonly refused: ErrorCode };

const KNOWN_AFTER: Readonly<Record<ReinstatementStep['do'], Partial<ReinstatementView>>> = {
  'look-at-booking': {},
  'look-at-inventory': {},
  'withdraw-refund': { refund: 'withdrawn' },
  'retake-tickets': { tickets: 'retaken' },
  'reset-refund': { refund: 'back-in-review' },
  reinstate: {},
  'restore-admission': { admission: 'restored' },
};

/** What is known after a step. */
export const learnOfReinstatement = (
  view: ReinstatementView,
  step: ReinstatementStep,
  answer: ReinstatementAnswer,
): ReinstatementView => {
  if (!('refused' in answer)) {
    const { booking = view.booking, inventory: seen = view.inventory } = answer;
    return { ...view, ...KNOWN_AFTER[step.do], booking, inventory: seen };
  }
  const { refused } = answer;
  if (step.do === 'withdraw-refund') return { ...view, refund: { refused } };
  if (step.do === 'retake-tickets') return { ...view, tickets: { refused } };
  return { ...view, stuck: refused };
};
