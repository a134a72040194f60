import type { Unfilled } from '#domain/checkout/events.ts';
import type { Personal } from '#domain/personal.ts';
import type { BookingEvent, BookingFacts } from './events.ts';

/** What a booking is now. `completed` is not among them: it is derived from the date by those who show it. */
export type BookingStatus = 'none' | 'confirmed' | 'cancelled' | 'refunded';

/** How the last cancellation came out. `refund` in pence; `at` is an ISO instant. */
export interface Cancellation {
  readonly by: 'customer' | 'admin' | 'listing-archived' | 'account-erased' | 'unfilled';
  readonly refund: number;
  readonly percent: number;
  readonly at: string;
  /** Why it was asked for; null for a booking that was never filled. */
  readonly reason: Personal<string> | null;
}

export interface BookingState {
  /** Null until it is placed, at `placedAt` (an ISO instant). */
  readonly facts: (BookingFacts & { readonly placedAt: string }) | null;
  readonly status: BookingStatus;
  /** Why it began without tickets: paid, but none was left. Stays so when it is reinstated. */
  readonly unfilled: Unfilled | null;
  /** How often it was cancelled; being unfilled counts as the first time. */
  readonly cancellations: number;
  /** Of the last time, null while confirmed. */
  readonly cancellation: Cancellation | null;
  /** Codes below this say "reissued". */
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
  }
};

/** Which cancellation a new wish to cancel would be, from 1; while it is cancelled, the one that stands. */
export const cancellationNumber = (state: BookingState): number =>
  state.status === 'confirmed' ? state.cancellations + 1 : state.cancellations;
