import type { ActingLane } from '#command-api/lane/lane.ts';
import { runChain } from '#command-api/lane/run-chain.ts';
import { type DeletionRest, deletion } from '#domain/inventory/deletion.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';

/** How many of a deleted listing's bookings were cancelled. */
export interface DeletionProgress {
  readonly done: number;
  readonly of: number;
}

export interface DeletionOptions {
  /** `archived`: stop once nobody can buy any more; the bookings are a job's. */
  readonly until?: 'archived';
  onProgress?(progress: DeletionProgress): void;
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
    if (typeof rest === 'object' && rest.rejected === 'BOOKING_NOT_FOUND') missing = true;
    onProgress?.({ done: index + 1, of: bookingIds.length });
  }
  return missing ? 'some-not-yet' : 'cancelled';
};

/**
 * Deletes a listing (`domain/inventory/deletion.ts`): closes its sales, archives it, cancels each booking with all its money
 * back. Repeatable, and safe to break off anywhere.
 */
export const deleteListing = async (
  deps: CancelDeps,
  listingId: number,
  acting: ActingLane,
  { until, onProgress }: DeletionOptions = {},
): Promise<DeletionRest | 'archived'> => {
  const { rest } = await runChain(deletion, { listingId }, acting, {
    call: async ({ bookingIds }) => ({ bookings: await cancelAll(deps, bookingIds, acting, onProgress) }),
    until: ({ archived }) => (archived ? until : undefined),
  });
  return rest;
};
