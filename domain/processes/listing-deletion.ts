import { inventory } from '#domain/inventory/inventory.ts';
import { bookingsOut, type InventoryState } from '#domain/inventory/state.ts';
import { ask, type Chain, look, stateOf } from '#domain/kernel/chain.ts';
import type { Rejection } from '#domain/kernel/decider.ts';
import { listing } from '#domain/listing/listing.ts';

/** What is known about the deletion of a listing. */
export interface DeletionView {
  readonly listingId: number;
  readonly inventory?: InventoryState;
  readonly archived?: true;
  /** `some-not-yet`: some have tickets, but don't stand yet or any more: they are being made, cancelled or reinstated. Or whoever cancels them had to stop. */
  readonly bookings?: 'cancelled' | 'some-not-yet';
  readonly refused?: Rejection;
}

/** A step of a deletion. */
export type DeletionStep = {
  readonly do: 'look-at-inventory' | 'close-sales' | 'archive-listing' | 'cancel-bookings';
};

/** How a deletion ends. `try-later`: some bookings are left, which can be cancelled later. A rejection: there is no such listing. */
export type DeletionRest = 'done' | 'try-later' | Rejection;

/** Asks to cancel these bookings, each by a chain of its own. Bookings with which somebody was admitted are left as they are. */
export interface CancelBookings {
  readonly bookingIds: readonly number[];
}

/**
 * Deletes a listing: sales are closed (from then on holds and sales are refused, and paid attempts are refunded), the listing is
 * archived, and each booking that has tickets is cancelled. The inventory's state says which bookings are left.
 */
export const deletion: Chain<
  DeletionView,
  DeletionStep,
  DeletionRest,
  CancelBookings,
  Required<Pick<DeletionView, 'bookings'>>
> = {
  name: 'deletion',

  next({ inventory: tickets, archived, bookings, refused }) {
    if (refused) return refused;
    if (!tickets) return [{ do: 'look-at-inventory' }];
    if (tickets.closed !== 'archived') return [{ do: 'close-sales' }];
    if (!archived) return [{ do: 'archive-listing' }];
    if (bookings) return bookings === 'cancelled' ? 'done' : 'try-later';
    return bookingsOut(tickets).length > 0 ? [{ do: 'cancel-bookings' }] : 'done';
  },

  order({ listingId, inventory: tickets }, step) {
    switch (step.do) {
      case 'look-at-inventory':
        return look(inventory, listingId);
      case 'close-sales':
        return ask(inventory, listingId, { type: 'CloseSales', why: 'archived' });
      case 'archive-listing':
        return ask(listing, listingId, { type: 'ArchiveListing' });
      case 'cancel-bookings':
        return { bookingIds: tickets ? bookingsOut(tickets) : [] };
    }
  },

  learn(view, step, answer) {
    if ('rejected' in answer) return { ...view, refused: answer };
    if ('bookings' in answer) return { ...view, bookings: answer.bookings };
    if (step.do === 'archive-listing') return { ...view, archived: true };
    return { ...view, inventory: stateOf(answer, inventory) ?? view.inventory };
  },
};
