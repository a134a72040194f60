import type { ActingLane } from '#command-api/lane/lane.ts';
import { runChain } from '#command-api/lane/run-chain.ts';
import { type DeletionRest, deletion } from '#domain/processes/listing-deletion.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';

/** How many of a listing's bookings have been cancelled so far. */
export interface DeletionProgress {
  readonly done: number;
  readonly of: number;
}

export interface DeletionOptions {
  /** `archived`: stop when nobody can buy any more; a job cancels the bookings. */
  readonly until?: 'archived';
  /** Once it is aborted, no further booking is cancelled, and the deletion rests at `try-later`. */
  readonly signal?: AbortSignal;
  onProgress?(progress: DeletionProgress): void;
}

const cancelAll = async (
  deps: CancelDeps,
  bookingIds: readonly number[],
  acting: ActingLane,
  { signal, onProgress }: DeletionOptions,
): Promise<'cancelled' | 'some-not-yet'> => {
  let moving = false;
  for (const [index, bookingId] of bookingIds.entries()) {
    if (signal?.aborted) return 'some-not-yet';
    const request = { bookingId, by: 'listing-archived', reason: REASON_LOST['listing-archived'] } as const;
    const { rest } = await cancelBooking(deps, request, acting);
    if (rest === 'stuck') throw new Error(`booking ${bookingId} can’t be cancelled`);
    // A booking whose ticket was scanned is rejected, and stays as it is. One that does not stand, and yet has tickets, is being
    // made, cancelled or reinstated.
    const why = typeof rest === 'object' ? rest.rejected : undefined;
    if (why === 'BOOKING_NOT_FOUND' || why === 'BOOKING_NOT_CANCELLABLE') moving = true;
    onProgress?.({ done: index + 1, of: bookingIds.length });
  }
  return moving ? 'some-not-yet' : 'cancelled';
};

/**
 * Deletes a listing (`domain/processes/listing-deletion.ts`): closes its sales, archives it, and cancels each booking with a full refund. It can
 * be repeated, and interrupted anywhere.
 */
export const deleteListing = async (
  deps: CancelDeps,
  listingId: number,
  acting: ActingLane,
  options: DeletionOptions = {},
): Promise<DeletionRest | 'archived'> => {
  const { rest } = await runChain(deletion, { listingId }, acting, {
    call: async ({ bookingIds }) => ({ bookings: await cancelAll(deps, bookingIds, acting, options) }),
    until: ({ archived }) => (archived ? options.until : undefined),
  });
  return rest;
};
