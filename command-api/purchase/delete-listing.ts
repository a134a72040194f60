/** Deleting a listing: sales closed, archived, each booking cancelled and refunded in full; resumable. */
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { Rejection } from '#domain/decider.ts';
import { type DeletionView, nextDeletionStep } from '#domain/inventory/deletion.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';

/** How far a deletion came. */
export interface DeletionProgress {
  readonly done: number;
  readonly of: number;
}

/** `archived`: stop once nobody can buy any more; the bookings are a job's. */
export interface DeletionOptions {
  readonly until?: 'archived';
  onProgress?(progress: DeletionProgress): void;
}

/** How far a deletion came. */
export interface Deletion {
  /** `try-later`: some purchases were still being completed. */
  readonly rest: 'done' | 'try-later' | 'archived' | { readonly refused: Rejection };
}

const cancelAll = async (
  deps: CancelDeps,
  bookingIds: readonly number[],
  acting: ActingLane,
  onProgress: DeletionOptions['onProgress'],
): Promise<'cancelled' | 'some-not-yet'> => {
  let missing = false;
  for (const [index, bookingId] of bookingIds.entries()) {
    const request = { bookingId, by: 'listing-archived', reason: REASON_LOST['listing-archived'] } as const;
    const { rest } = await cancelBooking(deps, request, acting);
    if (rest === 'stuck') throw new Error(`booking ${bookingId} can't be cancelled`);
    // One with which somebody was let in stays as it is.
    if (typeof rest === 'object' && rest.refused.rejected === 'BOOKING_NOT_FOUND') missing = true;
    onProgress?.({ done: index + 1, of: bookingIds.length });
  }
  return missing ? 'some-not-yet' : 'cancelled';
};

/** Takes the deletion of a listing as far as it goes. Repeatable. */
export const deleteListing = async (
  deps: CancelDeps,
  listingId: number,
  acting: ActingLane,
  { until, onProgress }: DeletionOptions = {},
): Promise<Deletion> => {
  let view: DeletionView = {};
  for (;;) {
    const step = nextDeletionStep(view);
    if (typeof step === 'string') return { rest: step };
    if (step.do === 'look-at-inventory') {
      const reading = await acting.state(inventory, listingId);
      view = { ...view, inventory: reading.state };
    } else if (step.do === 'close-sales') {
      const command = { type: 'CloseSales', why: 'archived' } as const;
      const outcome = await acting.ask(inventory, listingId, command);
      if (!outcome.ok) return { rest: { refused: outcome.rejection } };
      view = { ...view, inventory: outcome.state };
    } else if (step.do === 'archive-listing') {
      const outcome = await acting.ask(listing, listingId, { type: 'ArchiveListing' });
      if (!outcome.ok) return { rest: { refused: outcome.rejection } };
      view = { ...view, archived: true };
      if (until === 'archived') return { rest: 'archived' };
    } else view = { ...view, bookings: await cancelAll(deps, step.bookingIds, acting, onProgress) };
  }
};
