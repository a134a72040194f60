import type { Unfilled } from '#domain/checkout/events.ts';
import type { Personal } from '#domain/kernel/personal.ts';
import type { RefundState } from '#domain/refund/state.ts';
import type { BookingEvent, BookingFacts, CancelledBy } from './events.ts';

/** The status of a booking. `completed` is not among them: those who show a booking derive it from the date. */
export type BookingStatus = 'none' | 'confirmed' | 'cancelled' | 'refunded';

/** The last cancellation. `refund` is in pence, `at` an ISO instant. */
export interface Cancellation {
  readonly by: CancelledBy | 'unfilled';
  readonly refund: number;
  readonly percent: number;
  readonly at: string;
  /** The reason that was given; null for a booking that was never filled. */
  readonly reason: Personal<string> | null;
}

export interface BookingState {
  /** Null until it is placed. `placedAt` is an ISO instant. */
  readonly facts: (BookingFacts & { readonly placedAt: string }) | null;
  readonly status: BookingStatus;
  /** Why it began without tickets, after it was paid but none was left. It stays set after a reinstatement; see `unfilledNow`. */
  readonly unfilled: Unfilled | null;
  /** How often it was cancelled. Being unfilled counts as the first time. */
  readonly cancellations: number;
  /** The last cancellation; null while confirmed. */
  readonly cancellation: Cancellation | null;
  /** Codes of a lower epoch are refused as reissued. */
  readonly epoch: number;
}

export const initial: BookingState = {
  facts: null,
  status: 'none',
  unfilled: null,
  cancellations: 0,
  cancellation: null,
  epoch: 0,
};

export const evolve = (state: BookingState, event: BookingEvent, at: string): BookingState => {
  switch (event.type) {
    case 'BookingPlaced':
      return { ...state, facts: { ...event.data, placedAt: at }, status: 'confirmed' };
    case 'BookingUnfilled': {
      const { why, ...data } = event.data;
      const facts = { ...data, placedAt: at };
      const cancellation: Cancellation = {
        ...{ by: 'unfilled', refund: facts.quote.total, percent: 100 },
        ...{ at, reason: null },
      };
      return { ...state, facts, status: 'cancelled', unfilled: why, cancellations: 1, cancellation };
    }
    case 'BookingCancelled': {
      const { by, refund, percent, reason } = event.data;
      const cancellation = { by, refund, percent, at, reason };
      return { ...state, status: 'cancelled', cancellations: state.cancellations + 1, cancellation };
    }
    case 'BookingReinstated':
      return { ...state, status: 'confirmed', cancellation: null };
    case 'BookingRefunded':
      return { ...state, status: 'refunded' };
    case 'TicketReissued':
      return { ...state, epoch: event.data.epoch };
    case 'BookingNoted':
      return state;
  }
};

/**
 * The status that everybody is shown. A refund that was paid may come back from the bank: until it is paid again, the booking is
 * cancelled and no more than that. No rule goes by this: what was refunded once stays so for them.
 */
export const shownStatus = <Status extends BookingStatus>(
  status: Status,
  refund: RefundState['phase'],
): Status | 'cancelled' =>
  status === 'refunded' && refund !== 'succeeded' && refund !== 'none' ? 'cancelled' : status;

/** Why it has no tickets and is paid back for it; null if that never was, or is no longer so, since it was made good. */
export const unfilledNow = ({ unfilled, cancellation }: BookingState): Unfilled | null =>
  cancellation?.by === 'unfilled' ? unfilled : null;

/** The number of the next cancellation, from 1; while the booking is cancelled, the number of that cancellation. */
export const cancellationNumber = (state: BookingState): number =>
  state.status === 'confirmed' ? state.cancellations + 1 : state.cancellations;
