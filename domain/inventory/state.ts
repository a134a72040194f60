import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { InventoryEvent } from './events.ts';

/** Tickets set aside for an attempt. `until`: ISO instant after which the attempt may be closed; the hold ends only by an event. */
export interface Hold {
  readonly bookingId: number;
  readonly userId: string;
  readonly quantity: number;
  readonly until: string;
}

/**
 * A booking's tickets. `returned` and `retaken` count how often the booking's tickets came back and were taken
 * again: they are out when the two are equal.
 */
export interface Sale {
  readonly userId: string;
  readonly quantity: number;
  readonly returned: number;
  readonly retaken: number;
}

/**
 * Attempts whose hold was released, so that a hold still under way is refused when it arrives. Two generations:
 * the older one is forgotten when the recent one is `GENERATION` long, and from then on holds that would end
 * before `horizon` are refused instead. Times are milliseconds since the epoch, taken from events.
 */
export interface Ended {
  readonly recent: ImmutableSet<string>;
  readonly older: ImmutableSet<string>;
  /** When the recent generation began; null before the first release. */
  readonly since: number | null;
  readonly horizon: number;
}

/** A listing's tickets. `sold` and `held` are the sums over `sales` that are out and over `holds`. */
export interface InventoryState {
  /** Null until the inventory is opened. */
  readonly listingId: number | null;
  readonly capacity: number;
  readonly sold: number;
  readonly held: number;
  readonly closed: 'archived' | 'started' | null;
  /** By attempt. */
  readonly holds: ImmutableMap<string, Hold>;
  /** By booking; returned ones stay, so that a late repeat of their sale takes nothing. */
  readonly sales: ImmutableMap<number, Sale>;
  readonly ended: Ended;
}

const HOUR = 3_600_000;
/** No hold is asked for more than this ahead: an attempt that ended at T asks for none beyond T + this. */
export const LONGEST_HOLD = HOUR;
/** How long a generation of ended attempts lasts. Longer than `LONGEST_HOLD` by more than clocks can differ. */
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

/** Remembers an ended attempt; forgets the older generation when its time is over. */
const remember = (ended: Ended, attempt: string, at: number): Ended => {
  if (ended.since === null) return { ...ended, recent: ended.recent.add(attempt), since: at };
  if (at - ended.since < GENERATION) return { ...ended, recent: ended.recent.add(attempt) };
  // All of `older` ended before `since`, so none of them can ask for a hold beyond this horizon.
  return {
    recent: ImmutableSet([attempt]),
    older: ended.recent,
    since: at,
    horizon: ended.since + LONGEST_HOLD,
  };
};

/** O(log n) an event, and the state before stays valid: streams here run to hundreds of thousands of events. */
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
      const sales = state.sales.set(bookingId, { userId, quantity, returned: 0, retaken: 0 });
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
      const { bookingId, userId, quantity } = event.data;
      // A booking that was never filled has no sale yet; being unfilled was its first cancellation.
      const before = state.sales.get(bookingId) ?? { userId, quantity, returned: 1, retaken: 0 };
      const sales = state.sales.set(bookingId, { ...before, retaken: before.retaken + 1 });
      return { ...state, sales, sold: state.sold + quantity };
    }
    case 'SalesClosed':
      return { ...state, closed: event.data.why };
  }
};

/** Tickets that can still be held or sold, whether or not sales are closed. */
export const freeTickets = (state: Pick<InventoryState, 'capacity' | 'sold' | 'held'>): number =>
  state.capacity - state.sold - state.held;

/** Whether a booking's tickets are out. */
export const isOut = (sale: Sale): boolean => sale.returned === sale.retaken;

/** What the inventory says about an attempt. `ended`: its hold was released. `returned`: sold, and given back since. */
export type InventoryWord = 'none' | 'held' | 'sold' | 'returned' | 'ended';

/** The inventory's word on one attempt and its booking. */
export const wordOn = (state: InventoryState, attempt: string, bookingId: number): InventoryWord => {
  const sale = state.sales.get(bookingId);
  if (sale) return isOut(sale) ? 'sold' : 'returned';
  if (state.holds.has(attempt)) return 'held';
  return hasEnded(state, attempt) ? 'ended' : 'none';
};

/** Whether the attempt's hold was released, as far as that is remembered. */
export const hasEnded = (state: InventoryState, attempt: string): boolean =>
  state.ended.recent.has(attempt) || state.ended.older.has(attempt);

/** The bookings whose tickets are out: those to cancel when the listing is deleted. */
export const bookingsOut = (state: InventoryState): readonly number[] =>
  state.sales.filter(isOut).keySeq().toArray();
