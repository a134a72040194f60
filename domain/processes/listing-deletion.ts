import { inventory } from '#domain/inventory/inventory.ts';
import { bookingsOut, type InventoryState } from '#domain/inventory/state.ts';
import type { Rejection } from '#domain/kernel/decider.ts';
import { decide, load, type ProcessManager, stateOf } from '#domain/kernel/process.ts';
import { listing } from '#domain/listing/listing.ts';

export interface DeletionView {
  readonly listingId: number;
  /** Rest once the listing is archived; a job cancels the bookings. */
  readonly until?: 'archived' | undefined;
  readonly inventory?: InventoryState;
  readonly archived?: true;
  /** `some-not-yet`: some bookings hold tickets but are mid-transition, or the canceller had to stop. */
  readonly bookings?: 'cancelled' | 'some-not-yet';
  readonly refused?: Rejection;
}

export type DeletionStep = {
  readonly do: 'look-at-inventory' | 'close-sales' | 'archive-listing' | 'cancel-bookings';
};

/** `try-later`: some bookings can only be cancelled later. A rejection: no such listing. */
export type DeletionRest = 'done' | 'archived' | 'try-later' | Rejection;

/** Each by its own process. Bookings with admissions are left as they are. */
export interface CancelBookings {
  readonly bookingIds: readonly number[];
}

/**
 * Closes sales (later holds and sales are refused, paid attempts refunded), archives the listing and cancels
 * each booking that holds tickets.
 */
export const deletion: ProcessManager<
  DeletionView,
  DeletionStep,
  DeletionRest,
  CancelBookings,
  Required<Pick<DeletionView, 'bookings'>>
> = {
  name: 'deletion',

  next({ inventory: tickets, archived, bookings, refused, until }) {
    if (refused) return refused;
    if (!tickets) return [{ do: 'look-at-inventory' }];
    if (tickets.closed !== 'archived') return [{ do: 'close-sales' }];
    if (!archived) return [{ do: 'archive-listing' }];
    if (until) return until;
    if (bookings) return bookings === 'cancelled' ? 'done' : 'try-later';
    return bookingsOut(tickets).length > 0 ? [{ do: 'cancel-bookings' }] : 'done';
  },

  request({ listingId, inventory: tickets }, step) {
    switch (step.do) {
      case 'look-at-inventory':
        return load(inventory, listingId);
      case 'close-sales':
        return decide(inventory, listingId, { type: 'CloseSales', why: 'archived' });
      case 'archive-listing':
        return decide(listing, listingId, { type: 'ArchiveListing' });
      case 'cancel-bookings':
        return { bookingIds: tickets ? bookingsOut(tickets) : [] };
    }
  },

  apply(view, step, answer) {
    if ('rejected' in answer) return { ...view, refused: answer };
    if ('bookings' in answer) return { ...view, bookings: answer.bookings };
    if (step.do === 'archive-listing') return { ...view, archived: true };
    return { ...view, inventory: stateOf(answer, inventory) ?? view.inventory };
  },
};
