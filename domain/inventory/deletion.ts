import { ask, type Chain, look, stateOf } from '#domain/chain.ts';
import type { Rejection } from '#domain/decider.ts';
import { listing } from '#domain/listing/listing.ts';
import { inventory } from './inventory.ts';
import { bookingsOut, type InventoryState } from './state.ts';

/** What is known of a deletion. */
export interface DeletionView {
  readonly listingId: number;
  readonly inventory?: InventoryState;
  readonly archived?: true;
  /** `some-not-yet`: some bookings were not there yet, since their purchase is still being completed. */
  readonly bookings?: 'cancelled' | 'some-not-yet';
  readonly refused?: Rejection;
}

/** What a deletion may have to do next. */
export type DeletionStep = {
  readonly do: 'look-at-inventory' | 'close-sales' | 'archive-listing' | 'cancel-bookings';
};

/** `try-later`: some purchases were still being completed, and their bookings can be cancelled then. A rejection: there is no such listing. */
export type DeletionRest = 'done' | 'try-later' | Rejection;

/** Cancels these bookings, each by its own chain. One with which somebody was let in is left as it is. */
export interface CancelBookings {
  readonly bookingIds: readonly number[];
}

/**
 * Deletes a listing: sales are closed (from here holds and sales are refused, and paid attempts refunded), the listing is
 * archived, each booking whose tickets are out is cancelled. The inventory's state says which are left.
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
    if (!tickets) return { do: 'look-at-inventory' };
    if (tickets.closed !== 'archived') return { do: 'close-sales' };
    if (!archived) return { do: 'archive-listing' };
    if (bookings) return bookings === 'cancelled' ? 'done' : 'try-later';
    return bookingsOut(tickets).length > 0 ? { do: 'cancel-bookings' } : 'done';
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
