import type { CommandDeps } from '#command-api/deps/deps.ts';
import { intentsInOrder } from './advance.ts';
import { type CheckoutDeps, Desk } from './desk.ts';
import type { EndingDeps } from './end-purchases.ts';
import { createReadings, type Readings } from './readings.ts';
import { type Wishes, wishesAsJobs } from './wishes.ts';

/**
 * What buying, cancelling and refunding need, for routes and jobs. There is one in a process. Other processes may serve the same buyer.
 */
export interface Purchases extends EndingDeps {
  /** What opening and booking remember. */
  readonly desk: Desk;
  /** Listings, promotions and places, perhaps a second old. */
  readonly readings: Readings;
}

/** What purchases are made of. */
export type PurchaseParts = Pick<CommandDeps, 'lane' | 'clock' | 'log' | 'keys'> &
  Pick<CheckoutDeps, 'gateway' | 'holdFor' | 'holdLimits'> & {
    readonly database: Pick<CommandDeps['database'], 'pool'>;
    /** Where requests are kept while they are carried out. Default: in the table of jobs. */
    readonly wishes?: Wishes;
  };

/** Makes the purchases of a process. */
export const createPurchases = (given: PurchaseParts): Purchases => {
  const { lane, clock, log, keys, gateway, holdFor, holdLimits } = given;
  const { pool } = given.database;
  const { wishes = wishesAsJobs(pool) } = given;
  const readings = createReadings({ lane, clock });
  keys.onDestroyed(readings.forget);
  const inOrder = intentsInOrder();
  const desk = new Desk({ clock, gateway, inOrder, readings, holdFor, holdLimits });
  return { lane, clock, log, pool, gateway, inOrder, wishes, readings, desk };
};
