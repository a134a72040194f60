import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { InventoryEvent } from './events.ts';

/** Tickets that are held for an attempt. After `until` (an ISO instant) the attempt may be closed; the hold itself ends only by an event. */
export interface Hold {
  readonly bookingId: number;
  readonly userId: string;
  readonly quantity: number;
  readonly until: string;
}

/**
 * The tickets of a booking. `returned` counts how often they were returned, `retaken` how often they were taken again: the booking has
 * its tickets when the two are equal.
 */
export interface Sale {
  readonly userId: string;
  readonly quantity: number;
  readonly returned: number;
  readonly retaken: number;
  /** The number of the last try to take them again that was given up (`Retake`); 0 before the first. */
  readonly givenUp: number;
}

/**
 * Attempts whose hold was released, so that a hold that arrives after its release is refused. They are kept in two generations. When the
 * recent one has lasted for `GENERATION`, the older one is forgotten, and instead all holds that would end before `horizon` are refused.
 * Times are milliseconds since the epoch, taken from events.
 */
export interface Ended {
  readonly recent: ImmutableSet<string>;
  readonly older: ImmutableSet<string>;
  /** When the recent generation began; null before the first release. */
  readonly since: number | null;
  readonly horizon: number;
}

/** The tickets of a listing. `sold` is the sum over the sales that have their tickets, `held` the sum over the holds. */
export interface InventoryState {
  /** Null until the inventory is opened. */
  readonly listingId: number | null;
  readonly capacity: number;
  readonly sold: number;
  readonly held: number;
  readonly closed: 'archived' | 'started' | null;
  /** The holds by attempt. */
  readonly holds: ImmutableMap<string, Hold>;
  /** The sales by booking. Returned ones stay, so that a late repeat of the sale takes no tickets. */
  readonly sales: ImmutableMap<number, Sale>;
  readonly ended: Ended;
}

const HOUR = 3_600_000;
/** The longest time from a request for a hold to the hold's end, in milliseconds. */
export const LONGEST_HOLD = HOUR;
/** How long a generation of ended attempts lasts, in milliseconds: longer than `LONGEST_HOLD`, by more than clocks can differ. */
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

/** Adds an ended attempt, and starts a new generation when the recent one is old enough. */
const remember = (ended: Ended, attempt: string, at: number): Ended => {
  if (ended.since === null) return { ...ended, recent: ended.recent.add(attempt), since: at };
  if (at - ended.since < GENERATION) return { ...ended, recent: ended.recent.add(attempt) };
  // All attempts in `older` ended before `since`, so none of their holds can end after this horizon.
  return {
    recent: ImmutableSet([attempt]),
    older: ended.recent,
    since: at,
    horizon: ended.since + LONGEST_HOLD,
  };
};

/** The sale of a cancelled booking. One that was never filled has none: being unfilled counts as its first cancellation. */
const returnedSale = (
  { sales }: InventoryState,
  { bookingId, userId, quantity }: Pick<Sale, 'userId' | 'quantity'> & { readonly bookingId: number },
): Sale => sales.get(bookingId) ?? { userId, quantity, returned: 1, retaken: 0, givenUp: 0 };

/** Takes O(log n) for an event and keeps the former state valid: streams have hundreds of thousands of events. */
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

/** How many tickets can still be held or sold, as if sales were open. */
export const freeTickets = (state: Pick<InventoryState, 'capacity' | 'sold' | 'held'>): number =>
  state.capacity - state.sold - state.held;

/** Whether a booking has its tickets. */
export const isOut = (sale: Sale): boolean => sale.returned === sale.retaken;

/** The state of an attempt's tickets. `ended`: the hold was released. `returned`: they were sold and then returned. */
export type InventoryWord = 'none' | 'held' | 'sold' | 'returned' | 'ended';

/** The state of the tickets of an attempt and its booking. */
export const wordOn = (state: InventoryState, attempt: string, bookingId: number): InventoryWord => {
  const sale = state.sales.get(bookingId);
  if (sale) return isOut(sale) ? 'sold' : 'returned';
  if (state.holds.has(attempt)) return 'held';
  return hasEnded(state, attempt) ? 'ended' : 'none';
};

/** Whether the attempt's hold was released. After some hours this is forgotten (`Ended`). */
export const hasEnded = (state: InventoryState, attempt: string): boolean =>
  state.ended.recent.has(attempt) || state.ended.older.has(attempt);

/** The bookings that have tickets, which are cancelled when the listing is deleted. */
export const bookingsOut = (state: InventoryState): readonly number[] =>
  state.sales.filter(isOut).keySeq().toArray();
