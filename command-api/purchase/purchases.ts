import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { EndingDeps } from './end-purchases.ts';
import type { CheckoutDeps } from './open-checkout.ts';
import { type PendingRequests, requestsAsJobs } from './pending-requests.ts';
import { Hints } from './purchase.ts';
import { createReadings } from './readings.ts';

export type Purchases = EndingDeps & CheckoutDeps;

export type PurchaseParts = Pick<CommandDeps, 'handler' | 'clock' | 'log' | 'keys'> &
  Pick<CheckoutDeps, 'gateway' | 'holdFor' | 'holdLimits'> & {
    readonly database: Pick<CommandDeps['database'], 'pool'>;
    readonly pendingRequests?: PendingRequests;
  };

export const createPurchases = (given: PurchaseParts): Purchases => {
  const { handler, clock, log, keys, gateway, holdFor, holdLimits } = given;
  const { pool } = given.database;
  const { pendingRequests = requestsAsJobs(pool) } = given;
  const readings = createReadings({ handler, clock });
  keys.onDestroyed(readings.forget);
  const hints = new Hints(clock);
  return { handler, clock, log, pool, gateway, pendingRequests, readings, hints, holdFor, holdLimits };
};
