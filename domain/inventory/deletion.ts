/**
 * Deleting a listing as a chain of steps: sales are closed (from here holds and sales are refused and
 * paid attempts refunded), the listing is archived, each booking whose tickets are out is cancelled. It is
 * resumable, since the inventory's state says which are left.
 */
import { bookingsOut, type InventoryState } from './state.ts';

/** What is known of a deletion. */
export interface DeletionView {
  readonly inventory?: InventoryState;
  readonly archived?: true;
  /** `some-not-yet`: some bookings were not there yet, since their purchase is still being completed. */
  readonly bookings?: 'cancelled' | 'some-not-yet';
}

/** What a deletion may have to do next. */
export type DeletionStep =
  | { readonly do: 'look-at-inventory' }
  | { readonly do: 'close-sales' }
  | { readonly do: 'archive-listing' }
  /** Each by the chain of `booking/chain.ts`; one with which somebody was let in is left as it is. */
  | { readonly do: 'cancel-bookings'; readonly bookingIds: readonly number[] };

/** `try-later`: some purchases were still being completed, and their bookings can be cancelled then. */
export type DeletionRest = 'done' | 'try-later';

/** The next missing step of a deletion, or why there is none. */
export const nextDeletionStep = ({
  inventory,
  archived,
  bookings,
}: DeletionView): DeletionStep | DeletionRest => {
  if (!inventory) return { do: 'look-at-inventory' };
  if (inventory.closed !== 'archived') return { do: 'close-sales' };
  if (!archived) return { do: 'archive-listing' };
  if (bookings) return bookings === 'cancelled' ? 'done' : 'try-later';
  const bookingIds = bookingsOut(inventory);
  return bookingIds.length > 0 ? { do: 'cancel-bookings', bookingIds } : 'done';
};
