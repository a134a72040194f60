import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { InventoryEvent, ReleaseReason } from './events.ts';
import { fromJSON, toJSON } from './snapshot.ts';
import { evolve, freeTickets, hasEnded, type InventoryState, initial, isOut } from './state.ts';

/** Times are ISO instants. `cancellation` counts from 1, so that a late repeat of an older one does nothing. */
export type InventoryCommand =
  | { readonly type: 'OpenInventory'; readonly listingId: number; readonly capacity: number }
  | { readonly type: 'ChangeCapacity'; readonly capacity: number }
  | {
      readonly type: 'HoldTickets';
      readonly attempt: string;
      readonly bookingId: number;
      readonly userId: string;
      readonly quantity: number;
      readonly until: string;
    }
  | {
      readonly type: 'ReleaseHold';
      readonly attempt: string;
      readonly bookingId: number;
      readonly why: ReleaseReason;
      readonly at: string;
    }
  | {
      readonly type: 'SellTickets';
      readonly attempt: string;
      readonly bookingId: number;
      readonly userId: string;
      readonly quantity: number;
    }
  | { readonly type: 'ReturnTickets'; readonly bookingId: number; readonly cancellation: number }
  | ({ readonly type: 'RetakeTickets' } & Retake)
  /** From now on this retake is refused. CONFLICT if it has its tickets already. */
  | ({ readonly type: 'GiveUpRetake' } & Retake)
  | { readonly type: 'CloseSales'; readonly why: 'archived' | 'started' };

/** An attempt to take a cancelled booking's tickets again. */
export interface Retake {
  readonly bookingId: number;
  readonly userId: string;
  readonly quantity: number;
  readonly cancellation: number;
  /** `RefundState.withdrawals`; null if there is no refund. */
  readonly withdrawal: number | null;
}

type Command<Type extends InventoryCommand['type']> = Extract<InventoryCommand, { type: Type }>;

/**
 * Repeats succeed without an event. Refuses with LISTING_NOT_FOUND (not opened), SOLD_OUT, SALES_CLOSED,
 * HOLD_ENDED, CAPACITY_TOO_SMALL, CONFLICT.
 */
const decide = (state: InventoryState, command: InventoryCommand): Decision<InventoryEvent> => {
  if (command.type === 'OpenInventory') return open(state, command);
  const { listingId } = state;
  if (listingId === null) return reject('LISTING_NOT_FOUND');
  switch (command.type) {
    case 'ChangeCapacity':
      return changeCapacity(state, listingId, command);
    case 'HoldTickets':
      return hold(state, listingId, command);
    case 'ReleaseHold':
      return release(state, listingId, command);
    case 'SellTickets':
      return sell(state, listingId, command);
    case 'ReturnTickets':
      return giveBack(state, listingId, command);
    case 'RetakeTickets':
      return retake(state, listingId, command);
    case 'GiveUpRetake':
      return giveUpRetake(state, listingId, command);
    case 'CloseSales':
      // Sales closed at the start can still be archived; `archived` is final.
      if (state.closed === 'archived' || state.closed === command.why) return [];
      return [{ type: 'SalesClosed', data: { listingId, why: command.why } }];
  }
};

const open = (state: InventoryState, command: Command<'OpenInventory'>): Decision<InventoryEvent> => {
  if (state.listingId !== null) return [];
  return [{ type: 'InventoryOpened', data: { listingId: command.listingId, capacity: command.capacity } }];
};

const changeCapacity = (
  state: InventoryState,
  listingId: number,
  { capacity }: Command<'ChangeCapacity'>,
): Decision<InventoryEvent> => {
  if (capacity === state.capacity) return [];
  if (capacity < state.sold + state.held) {
    return reject('CAPACITY_TOO_SMALL', { sold: state.sold, held: state.held });
  }
  return [{ type: 'CapacityChanged', data: { listingId, capacity } }];
};

const hold = (
  state: InventoryState,
  listingId: number,
  { attempt, bookingId, userId, quantity, until }: Command<'HoldTickets'>,
): Decision<InventoryEvent> => {
  if (state.holds.has(attempt) || state.sales.has(bookingId)) return [];
  // Attempts are forgotten after some hours (`Ended`): refuse any hold that ends before `horizon`.
  if (hasEnded(state, attempt) || Date.parse(until) <= state.ended.horizon) return reject('HOLD_ENDED');
  if (state.closed) return reject('SALES_CLOSED');
  if (freeTickets(state) < quantity) return soldOut(state);
  return [{ type: 'TicketsHeld', data: { listingId, attempt, bookingId, userId, quantity, until } }];
};

const release = (
  state: InventoryState,
  listingId: number,
  { attempt, bookingId, why, at }: Command<'ReleaseHold'>,
): Decision<InventoryEvent> => {
  if (state.sales.has(bookingId) || hasEnded(state, attempt)) return [];
  const quantity = state.holds.get(attempt)?.quantity ?? 0;
  return [{ type: 'HoldReleased', data: { listingId, attempt, quantity, why, at } }];
};

const sell = (
  state: InventoryState,
  listingId: number,
  { attempt, bookingId, userId, quantity }: Command<'SellTickets'>,
): Decision<InventoryEvent> => {
  if (state.sales.has(bookingId)) return [];
  if (state.closed) return reject('SALES_CLOSED');
  const held = state.holds.get(attempt);
  // A late payment whose hold was released takes free tickets.
  if (freeTickets(state) + (held?.quantity ?? 0) < quantity) return soldOut(state);
  const data = { listingId, attempt, bookingId, userId, quantity, held: held !== undefined };
  return [{ type: 'TicketsSold', data }];
};

const giveBack = (
  state: InventoryState,
  listingId: number,
  { bookingId, cancellation }: Command<'ReturnTickets'>,
): Decision<InventoryEvent> => {
  const sale = state.sales.get(bookingId);
  if (!sale || !isOut(sale) || sale.returned >= cancellation) return [];
  return [{ type: 'TicketsReturned', data: { listingId, bookingId, quantity: sale.quantity } }];
};

const retake = (
  state: InventoryState,
  listingId: number,
  { bookingId, userId, quantity, cancellation, withdrawal }: Command<'RetakeTickets'>,
): Decision<InventoryEvent> => {
  const sale = state.sales.get(bookingId);
  if (sale && sale.retaken >= cancellation) return [];
  if (sale && withdrawal !== null && sale.givenUp >= withdrawal) return soldOut(state);
  // The cancellation must have returned the tickets before it can be undone.
  if (sale && isOut(sale)) return reject('CONFLICT');
  if (state.closed === 'archived') return reject('SALES_CLOSED');
  if (freeTickets(state) < quantity) return soldOut(state);
  return [{ type: 'TicketsRetaken', data: { listingId, bookingId, userId, quantity } }];
};

const giveUpRetake = (
  state: InventoryState,
  listingId: number,
  { bookingId, userId, quantity, cancellation, withdrawal }: Command<'GiveUpRetake'>,
): Decision<InventoryEvent> => {
  const sale = state.sales.get(bookingId);
  if (sale && sale.retaken >= cancellation) return reject('CONFLICT');
  if (withdrawal === null || (sale && sale.givenUp >= withdrawal)) return [];
  return [{ type: 'RetakeGivenUp', data: { listingId, bookingId, userId, quantity, withdrawal } }];
};

const soldOut = (state: InventoryState) => reject('SOLD_OUT', { available: Math.max(0, freeTickets(state)) });

export const inventory: Aggregate<InventoryState, InventoryCommand, InventoryEvent> = {
  name: 'inventory',
  shown: ({ capacity }) => ({ capacity }),
  initial,
  evolve,
  decide,
  snapshot: { version: 2, every: 5000, toJSON, fromJSON },
};
