import type { Unfilled } from '#domain/checkout/events.ts';
import type { Personal } from '#domain/kernel/personal.ts';
import type { RefundState } from '#domain/refund/state.ts';
import type { BookingEvent, BookingFacts, CancelledBy } from './events.ts';

/** A past booking is shown as `completed`, by its date. */
export type BookingStatus = 'none' | 'confirmed' | 'cancelled' | 'refunded';

/** `refund` is in pence, `at` an ISO instant. */
export interface Cancellation {
  readonly by: CancelledBy | 'unfilled';
  readonly refund: number;
  readonly percent: number;
  readonly at: string;
  readonly reason: Personal<string> | null;
}

export interface BookingState {
  readonly facts: (BookingFacts & { readonly placedAt: string }) | null;
  readonly status: BookingStatus;
  /** Paid but without tickets. Stays set after a reinstatement. */
  readonly unfilled: Unfilled | null;
  readonly cancellations: number;
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

/** Cancelled while the bank has returned the refund. For display only: to the rules it is refunded. */
export const shownStatus = <Status extends BookingStatus>(
  status: Status,
  refund: RefundState['phase'],
): Status | 'cancelled' =>
  status === 'refunded' && refund !== 'succeeded' && refund !== 'none' ? 'cancelled' : status;

export const unfilledNow = ({ unfilled, cancellation }: BookingState): Unfilled | null =>
  cancellation?.by === 'unfilled' ? unfilled : null;

/** Counts from 1: the present cancellation if cancelled, else the next one. */
export const cancellationNumber = (state: BookingState): number =>
  state.status === 'confirmed' ? state.cancellations + 1 : state.cancellations;
