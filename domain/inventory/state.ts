import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { InventoryEvent } from './events.ts';

/** `until` is an ISO instant, but only an event ends a hold. */
export interface Hold {
  readonly bookingId: number;
  readonly userId: string;
  readonly quantity: number;
  readonly until: string;
}

/** The booking has its tickets while `returned` equals `retaken`. */
export interface Sale {
  readonly userId: string;
  readonly quantity: number;
  readonly returned: number;
  readonly retaken: number;
  /** The last retake that was given up; 0 if none was. */
  readonly givenUp: number;
}

/**
 * Released attempts, so that a late hold is refused. Older ones are forgotten after `GENERATION`: then holds
 * that end before `horizon` are refused. Milliseconds, taken from events.
 */
export interface Ended {
  readonly recent: ImmutableSet<string>;
  readonly older: ImmutableSet<string>;
  readonly since: number | null;
  readonly horizon: number;
}

export interface InventoryState {
  readonly listingId: number | null;
  readonly capacity: number;
  readonly sold: number;
  readonly held: number;
  readonly closed: 'archived' | 'started' | null;
  readonly holds: ImmutableMap<string, Hold>;
  /** Returned sales stay, so that a late repeat of the sale takes no tickets. */
  readonly sales: ImmutableMap<number, Sale>;
  readonly ended: Ended;
}

const HOUR = 3_600_000;
/** Milliseconds from the request for a hold to its end. */
export const LONGEST_HOLD = HOUR;
/** Milliseconds. Exceeds `LONGEST_HOLD` by more than clocks can differ. */
export const GENERATION = 2 * HOUR;

export const initial: InventoryState = {
  listingId: null,
  capacity: 0,
  sold: 0,
  held: 0,
  closed: null,
  holds: ImmutableMap(),
  sales: ImmutableMap(),
  ended: { recent: ImmutableSet(), older: ImmutableSet(), since: null, horizon: 0 },
};

const remember = (ended: Ended, attempt: string, at: number): Ended => {
  if (ended.since === null) return { ...ended, recent: ended.recent.add(attempt), since: at };
  if (at - ended.since < GENERATION) return { ...ended, recent: ended.recent.add(attempt) };
  // Attempts in `older` ended before `since`: no hold of theirs ends after this horizon.
  return {
    recent: ImmutableSet([attempt]),
    older: ended.recent,
    since: at,
    horizon: ended.since + LONGEST_HOLD,
  };
};

/** An unfilled booking has no sale, but counts as cancelled once. */
const returnedSale = (
  { sales }: InventoryState,
  { bookingId, userId, quantity }: Pick<Sale, 'userId' | 'quantity'> & { readonly bookingId: number },
): Sale => sales.get(bookingId) ?? { userId, quantity, returned: 1, retaken: 0, givenUp: 0 };

/** O(log n) per event, persistent: streams have hundreds of thousands of events. */
export const evolve = (state: InventoryState, event: InventoryEvent): InventoryState => {
  switch (event.type) {
    case 'InventoryOpened':
      return { ...state, listingId: event.data.listingId, capacity: event.data.capacity };
    case 'CapacityChanged':
      return { ...state, capacity: event.data.capacity };
    case 'TicketsHeld': {
      const { attempt, bookingId, userId, quantity, until } = event.data;
      const holds = state.holds.set(attempt, { bookingId, userId, quantity, until });
      return { ...state, holds, held: state.held + quantity };
    }
    case 'HoldReleased': {
      const { attempt, at } = event.data;
      const quantity = state.holds.get(attempt)?.quantity ?? 0;
      const ended = remember(state.ended, attempt, Date.parse(at));
      return { ...state, holds: state.holds.delete(attempt), held: state.held - quantity, ended };
    }
    case 'TicketsSold': {
      const { attempt, bookingId, userId, quantity } = event.data;
      const held = state.held - (state.holds.get(attempt)?.quantity ?? 0);
      const sales = state.sales.set(bookingId, { userId, quantity, returned: 0, retaken: 0, givenUp: 0 });
      return { ...state, holds: state.holds.delete(attempt), held, sales, sold: state.sold + quantity };
    }
    case 'TicketsReturned': {
      const { bookingId, quantity } = event.data;
      const sale = state.sales.get(bookingId);
      if (!sale) return state;
      const sales = state.sales.set(bookingId, { ...sale, returned: sale.returned + 1 });
      return { ...state, sales, sold: state.sold - quantity };
    }
    case 'TicketsRetaken': {
      const { bookingId, quantity } = event.data;
      const before = returnedSale(state, event.data);
      const sales = state.sales.set(bookingId, { ...before, retaken: before.retaken + 1 });
      return { ...state, sales, sold: state.sold + quantity };
    }
    case 'RetakeGivenUp': {
      const { bookingId, withdrawal } = event.data;
      const sale = { ...returnedSale(state, event.data), givenUp: withdrawal };
      return { ...state, sales: state.sales.set(bookingId, sale) };
    }
    case 'SalesClosed':
      return { ...state, closed: event.data.why };
  }
};

export const freeTickets = (state: Pick<InventoryState, 'capacity' | 'sold' | 'held'>): number =>
  state.capacity - state.sold - state.held;

export const isOut = (sale: Sale): boolean => sale.returned === sale.retaken;

export type InventoryWord = 'none' | 'held' | 'sold' | 'returned' | 'ended';

export const wordOn = (state: InventoryState, attempt: string, bookingId: number): InventoryWord => {
  const sale = state.sales.get(bookingId);
  if (sale) return isOut(sale) ? 'sold' : 'returned';
  if (state.holds.has(attempt)) return 'held';
  return hasEnded(state, attempt) ? 'ended' : 'none';
};

export const hasEnded = (state: InventoryState, attempt: string): boolean =>
  state.ended.recent.has(attempt) || state.ended.older.has(attempt);

export const bookingsOut = (state: InventoryState): readonly number[] =>
  state.sales.filter(isOut).keySeq().toArray();
