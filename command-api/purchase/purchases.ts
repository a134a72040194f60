import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { PaymentGateway } from '#infra/payments/gateway.ts';
import { type CancelOutcome, type CancelRequest, cancelBooking } from './cancel.ts';
import { type Checkouts, createCheckouts } from './checkout.ts';
import { type Deletion, type DeletionOptions, deleteListing } from './delete-listing.ts';
import { type EndingDeps, endPurchases } from './end-purchases.ts';
import { createReadings, type Readings } from './readings.ts';
import { wishesAsJobs } from './wishes.ts';

/** What buying and giving back is made from. */
export type PurchaseParts = Pick<CommandDeps, 'lane' | 'clock' | 'ids' | 'log' | 'database'> & {
  readonly gateway: PaymentGateway;
  /** How long tickets are held, in milliseconds. Default: 15 minutes. */
  readonly holdFor?: number | undefined;
};

/** Buying and giving back, for routes and whoever else asks. One a process. */
export interface Purchases {
  readonly checkouts: Checkouts;
  /** What purchases read of listings, promotions and places. */
  readonly readings: Readings;
  cancel(request: CancelRequest, acting: ActingLane): Promise<CancelOutcome>;
  /** Closes sales and archives a listing; each booking is cancelled and refunded by a job. */
  deleteListing(listingId: number, acting: ActingLane, options?: DeletionOptions): Promise<Deletion>;
  /** For an erasure, before the key goes. @throws Refusal UNAVAILABLE: call it again */
  endPurchases(accountId: string, acting: ActingLane): Promise<void>;
  /** What the reactors and their jobs work with. */
  readonly parts: EndingDeps;
}

/** Puts buying together. */
export const createPurchases = (given: PurchaseParts): Purchases => {
  const { lane, clock, ids, log, database, gateway, holdFor } = given;
  const { pool } = database;
  const readings = createReadings({ lane, clock });
  const wishes = wishesAsJobs({ pool, clock });
  const parts: EndingDeps = { lane, clock, gateway, readings, wishes, log, pool };
  return {
    readings,
    parts,
    checkouts: createCheckouts({ ...parts, ids, holdFor }),
    cancel: (request, acting) => cancelBooking(parts, request, acting),
    deleteListing: (listingId, acting, options) => deleteListing(parts, listingId, acting, options),
    endPurchases: (accountId, acting) => endPurchases(parts, accountId, acting),
  };
};
