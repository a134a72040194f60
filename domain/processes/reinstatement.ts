import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import type { BookingFacts } from '#domain/booking/events.ts';
import type { BookingState } from '#domain/booking/state.ts';
import { inventory, type Retake } from '#domain/inventory/inventory.ts';
import type { InventoryState } from '#domain/inventory/state.ts';
import { isRejection, type Rejection, reject } from '#domain/kernel/decider.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { decide, load, type ProcessManager, stateOf } from '#domain/kernel/process.ts';
import { refund } from '#domain/refund/refund.ts';

export interface ReinstatementView {
  readonly bookingId: number;
  readonly cancellation: number;
  readonly booking?: BookingState;
  readonly inventory?: InventoryState;
  readonly refund?: 'withdrawn' | 'untouched' | 'back-in-review' | Rejection;
  readonly withdrawal: number | null;
  readonly tickets?: 'retaken' | Rejection;
  readonly givenUp?: true;
  readonly admission?: 'restored';
  readonly stuck?: ErrorCode;
}

export type ReinstatementStep = {
  readonly do:
    | 'look-at-booking'
    | 'look-at-inventory'
    | 'look-at-refund'
    | 'withdraw-refund'
    | 'retake-tickets'
    | 'give-up-tickets'
    | 'put-back-refund'
    | 'reinstate'
    | 'restore-admission';
};

export type ReinstatementRest = 'done' | 'stuck' | Rejection;

const retake = (
  { cancellation, withdrawal }: ReinstatementView,
  { bookingId, userId, quote: { quantity } }: BookingFacts,
): Retake => ({ bookingId, userId, quantity, cancellation, withdrawal });

/**
 * The inventory first rules out retaking the tickets: otherwise a slower run could retake them, leaving a
 * valid booking with an open refund. Then a refund withdrawn by this or an interrupted run returns to
 * review.
 */
const giveUp = (
  { refund, givenUp }: ReinstatementView,
  { quote }: BookingFacts,
  why: Rejection,
): readonly ReinstatementStep[] | Rejection => {
  if (refund === 'withdrawn') return [{ do: givenUp ? 'put-back-refund' : 'give-up-tickets' }];
  return refund === undefined && quote.total > 0 ? [{ do: 'look-at-refund' }] : why;
};

const KNOWN_AFTER: Readonly<Partial<Record<ReinstatementStep['do'], Partial<ReinstatementView>>>> = {
  'withdraw-refund': { refund: 'withdrawn' },
  'retake-tickets': { tickets: 'retaken' },
  'give-up-tickets': { givenUp: true },
  'put-back-refund': { refund: 'back-in-review' },
  'restore-admission': { admission: 'restored' },
};

/**
 * Withdraws the refund (refused once submitted, and until the cancellation is complete), then retakes the
 * tickets, which decides: on failure the refund returns to review. Callers must keep the request until the
 * process rests: only the process returns a withdrawn refund.
 */
export const reinstatement: ProcessManager<ReinstatementView, ReinstatementStep, ReinstatementRest> = {
  name: 'reinstatement',

  next(view) {
    const { booking: state, refund, tickets } = view;
    if (view.stuck) return 'stuck';
    if (!state) return [{ do: 'look-at-booking' }];
    if (!state.facts) return reject('BOOKING_NOT_FOUND');
    if (state.cancellations !== view.cancellation) return 'done';
    if (state.status === 'refunded') return reject('REFUND_SETTLED');
    if (state.status === 'confirmed') return 'done';
    if (typeof refund === 'object') return refund;
    if (tickets === undefined && refund !== 'withdrawn') {
      if (!view.inventory) return [{ do: 'look-at-inventory' }];
      const answer = inventory.decide(view.inventory, {
        type: 'RetakeTickets',
        ...retake(view, state.facts),
      });
      if (isRejection(answer)) return giveUp(view, state.facts, answer);
      if (state.facts.quote.total > 0) return [{ do: 'withdraw-refund' }];
    }
    if (tickets === undefined) return [{ do: 'retake-tickets' }];
    if (typeof tickets === 'object') return giveUp(view, state.facts, tickets);
    // Restore the codes before the booking: otherwise the next cancellation could void them, and this would
    // restore them.
    return [{ do: view.admission ? 'reinstate' : 'restore-admission' }];
  },

  request(view, step) {
    const { bookingId, cancellation, booking: state } = view;
    if (step.do === 'look-at-booking') return load(booking, bookingId);
    const { facts } = state ?? {};
    if (!facts) throw new Error(`booking ${bookingId}: ${step.do} before it was seen`);
    const { listingId } = facts;
    switch (step.do) {
      case 'look-at-inventory':
        return load(inventory, listingId);
      case 'look-at-refund':
        return load(refund, bookingId);
      case 'withdraw-refund':
        return decide(refund, bookingId, { type: 'Withdraw', cancellation });
      case 'put-back-refund':
        return decide(refund, bookingId, { type: 'PutBack', withdrawal: view.withdrawal ?? 0 });
      case 'retake-tickets':
        return decide(inventory, listingId, { type: 'RetakeTickets', ...retake(view, facts) });
      case 'give-up-tickets':
        return decide(inventory, listingId, { type: 'GiveUpRetake', ...retake(view, facts) });
      case 'reinstate':
        return decide(booking, bookingId, { type: 'Reinstate', cancellation });
      case 'restore-admission':
        return decide(admission, bookingId, { type: 'Restore', bookingId, listingId, cancellation });
    }
  },

  apply(view, step, answer) {
    if ('rejected' in answer) {
      if (step.do === 'withdraw-refund') return { ...view, refund: answer };
      if (step.do === 'retake-tickets') return { ...view, tickets: answer };
      if (step.do === 'give-up-tickets') return { ...view, tickets: 'retaken' };
      return { ...view, stuck: answer.rejected };
    }
    const money = stateOf(answer, refund);
    const withdrawal = money ? money.withdrawals : view.withdrawal;
    if (step.do === 'look-at-refund') {
      // An earlier reinstatement's withdrawal stays until this cancellation has requested its own refund.
      const own = money?.cancellation === view.cancellation && money.withdrawn;
      return { ...view, withdrawal, refund: own ? 'withdrawn' : 'untouched' };
    }
    const seen = stateOf(answer, booking) ?? view.booking;
    const tickets = stateOf(answer, inventory) ?? view.inventory;
    return { ...view, ...KNOWN_AFTER[step.do], withdrawal, booking: seen, inventory: tickets };
  },
};
