import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { runProcess } from '#command-api/commands/run-process.ts';
import { type DeletionRest, deletion } from '#domain/processes/listing-deletion.ts';
import { type CancelDeps, cancelBooking, REASON_LOST } from './cancel.ts';

export interface DeletionProgress {
  readonly done: number;
  readonly of: number;
}

export interface DeletionOptions {
  /** `archived`: stop once sales have ended; a job cancels the bookings. */
  readonly until?: 'archived';
  /** Stops before the next booking; the deletion rests at `try-later`. */
  readonly signal?: AbortSignal;
  onProgress?(progress: DeletionProgress): void;
}

const cancelAll = async (
  deps: CancelDeps,
  bookingIds: readonly number[],
  acting: ActingHandler,
  { signal, onProgress }: DeletionOptions,
): Promise<'cancelled' | 'some-not-yet'> => {
  let moving = false;
  for (const [index, bookingId] of bookingIds.entries()) {
    if (signal?.aborted) return 'some-not-yet';
    const request = { bookingId, by: 'listing-archived', reason: REASON_LOST['listing-archived'] } as const;
    const { rest } = await cancelBooking(deps, request, acting);
    if (rest === 'stuck') throw new Error(`booking ${bookingId} can’t be cancelled`);
    // A booking with a scanned ticket is rejected and stays. One that holds tickets but is not confirmed is
    // mid-transition; retry later.
    const why = typeof rest === 'object' ? rest.rejected : undefined;
    if (why === 'BOOKING_NOT_FOUND' || why === 'BOOKING_NOT_CANCELLABLE') moving = true;
    onProgress?.({ done: index + 1, of: bookingIds.length });
  }
  return moving ? 'some-not-yet' : 'cancelled';
};

/**
 * Closes sales, archives the listing and cancels each booking with a full refund
 * (`domain/processes/listing-deletion.ts`). Repeatable and safe to interrupt.
 */
export const deleteListing = async (
  deps: CancelDeps,
  listingId: number,
  acting: ActingHandler,
  options: DeletionOptions = {},
): Promise<DeletionRest> => {
  const { rest } = await runProcess(
    deletion,
    { listingId, until: options.until },
    acting,
    async ({ bookingIds }) => ({
      bookings: await cancelAll(deps, bookingIds, acting, options),
    }),
  );
  return rest;
};
